/** The faults that take their time: the service asks to wait, or is waited for in vain. */
import { waits } from './matrix';
import { suite } from './suite';

// More at once, and on a busy machine those that nothing is wrong with would be late too.
suite('waiting', waits, 16);
