/** The faults that answer at once. */
import { waits } from './matrix';
import { suite } from './suite';

suite('no waiting', (cell) => !waits(cell), 4);
