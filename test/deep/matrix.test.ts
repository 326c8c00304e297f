/** The faults that answer at once. */
import { sleepFast } from './cellRunner';
import { stalls } from './cells';
import { suite } from './suite';

suite('no stalling', (cell) => !stalls(cell), 4, sleepFast);
