// npm run e2e: installs what is missing and starts main.ts, which runs the tests in a real n8n. Works on a fresh clone.
import { begin } from '../setup/begin.mjs';

const require = await begin();
require('./main.ts', import.meta.url);
