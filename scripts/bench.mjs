// npm run bench: how quick the package is and how much memory it takes, beside n8n's own nodes. See bench/main.ts.
import { begin } from './begin.mjs';

const require = await begin();
require('./bench/main.ts', import.meta.url);
