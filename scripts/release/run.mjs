// npm run release:check, on a fresh clone too. What it does is in main.ts.
import { begin } from '../begin.mjs';

const require = await begin(['.', 'scripts/release/tools']);
require('./main.ts', import.meta.url);
