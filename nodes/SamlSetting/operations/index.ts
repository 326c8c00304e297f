import { create } from './create';
import { get } from './get';
import { getDefault } from './getDefault';

export const operations = [create, get, getDefault];
