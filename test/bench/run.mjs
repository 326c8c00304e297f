// npm run bench: how quick the package is and how much memory it takes, beside n8n's own nodes. See bench/main.ts.
import { begin } from '../setup/begin.mjs';

const require = await begin();
require('./main.ts', import.meta.url);
