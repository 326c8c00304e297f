import { create } from './create';
import { makeDefault } from './makeDefault';
import { test } from './test';

export const operations = [create, makeDefault, test];
