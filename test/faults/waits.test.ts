/** The faults that take their time: the service asks to wait, or is waited for in vain. */
import { waits } from './matrix';
import { suite } from './suite';

suite('waiting', waits, 32);
