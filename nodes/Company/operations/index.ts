import { create } from './create';
import { exportMany } from './export';
import { get } from './get';
import { getMany } from './getMany';
import { getOwn } from './getOwn';
import { getTotalActiveUsers } from './getTotalActiveUsers';

export const operations = [create, exportMany, get, getMany, getOwn, getTotalActiveUsers];
