import type { Case } from '../case';
import { companies } from './companies';
import { cpu } from './cpu';
import { exportCase } from './export';
import { items } from './items';
import { linear } from './linear';
import { pages } from './pages';
import { records } from './records';
import { start } from './start';

/** Every case, in the order in which they are run and shown. */
export const CASES: Case[] = [pages, companies, exportCase, items, records, start, linear, cpu];
