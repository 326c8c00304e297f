// npm run release:check: installs what is missing and starts main.ts. Works on a fresh clone.
import { begin } from '../../test/setup/begin.mjs';

const require = await begin(['.', 'tools/release/.tools']);
require('./main.ts', import.meta.url);
