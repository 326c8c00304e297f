// npm run demo: installs what is missing and starts main.ts, which shows the package in a real n8n. Works on a fresh clone.
import { begin } from '../../test/setup/begin.mjs';

const require = await begin();
require('./main.ts', import.meta.url);
