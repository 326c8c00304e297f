/** The faults that are waited for until the node's time-out, at least a second each. */
import { stalls } from './matrix';
import { suite } from './suite';

suite('stalling', stalls, 16);
