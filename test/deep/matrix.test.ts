/**
 * The fault matrix (cells.ts): the faults that answer at once. A small change of the sources is noticed sooner by the tests
 * in test/transport and test/engine. This one is for where two things meet, and for operations and faults to come: no
 * combination of them ends in half an answer, a second write, or silence.
 */
import { sleepFast } from './cellRunner';
import { stalls } from './cells';
import { suite } from './suite';

suite('no stalling', (cell) => !stalls(cell), 4, sleepFast);
