/** The faults that are waited for until the node's time-out, a second each. */
import { startTurnedClock } from '../setup/turnedClock';
import { stalls } from './cells';
import { suite } from './suite';

suite('stalling', stalls, 16, startTurnedClock);
