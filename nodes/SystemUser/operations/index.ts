import { create } from './create';

export const operations = [create];
