// npm run e2e: where n8n really runs, on a fresh clone too. What it does is in main.ts; README.md says how to add to it.
import { begin } from '../setup/begin.mjs';

const require = await begin();
require('./main.ts', import.meta.url);
