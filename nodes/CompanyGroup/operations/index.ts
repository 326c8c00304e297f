import { create } from './create';
import { exportMany } from './export';
import { get } from './get';
import { getAll } from './getAll';
import { getMany } from './getMany';
import { replaceParticipants } from './replaceParticipants';
import { update } from './update';

export const operations = [create, exportMany, get, getAll, getMany, replaceParticipants, update];
