/** In CI every run tries the same examples: a change is not refused for what only an unlucky draw finds. */
import fc from 'fast-check';
import { seed } from './depth';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
