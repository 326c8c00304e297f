/** The faults that answer at once. */
import { sleepFast, stalls } from './matrix';
import { suite } from './suite';

suite('no stalling', (cell) => !stalls(cell), 4, sleepFast);
