// npm run demo: the package in a real n8n, on a fresh clone too. What it does is in demo/main.ts.
import { begin } from '../../test/setup/begin.mjs';

const require = await begin();
require('./main.ts', import.meta.url);
