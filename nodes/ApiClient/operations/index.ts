import { create } from './create';
import { deleteOne } from './delete';
import { generateCredentials } from './generateCredentials';
import { get } from './get';
import { getMany } from './getMany';
import { provision } from './provision';
import { update } from './update';

export const operations = [create, deleteOne, generateCredentials, get, getMany, provision, update];
