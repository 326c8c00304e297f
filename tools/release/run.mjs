// npm run release:check, on a fresh clone too. What it does is in main.ts.
import { begin } from '../../test/setup/begin.mjs';

const require = await begin(['.', 'tools/release/.tools']);
require('./main.ts', import.meta.url);
