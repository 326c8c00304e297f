import { create } from './create';
import { get } from './get';
import { getFields } from './getFields';
import { getMany } from './getMany';
import { revokeToken } from './revokeToken';
import { update } from './update';

export const operations = [create, get, getFields, getMany, revokeToken, update];
