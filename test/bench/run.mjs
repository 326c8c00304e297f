// `npm run bench` compares the speed and the memory of the package with n8n's own nodes. See bench/main.ts.
import { begin } from '../setup/begin.mjs';

const require = await begin();
require('./main.ts', import.meta.url);
