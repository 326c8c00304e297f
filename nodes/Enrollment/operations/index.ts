import { create } from './create';
import { createAndSend } from './createAndSend';
import { get } from './get';
import { getFormDetails } from './getFormDetails';
import { getMany } from './getMany';
import { send } from './send';

export const operations = [create, createAndSend, get, getFormDetails, getMany, send];
