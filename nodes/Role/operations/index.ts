import { getMany } from './getMany';

export const operations = [getMany];
