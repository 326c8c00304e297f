import { create } from './create';
import { makeDefault } from './makeDefault';
import { sendTest } from './sendTest';

export const operations = [create, makeDefault, sendTest];
