// tsx tools/release/notes.ts v1.2.3: prints what the changelog says about the version, for the release's page.
import { join } from 'node:path';

import { runScript } from '../../test/real-n8n/script';
import { changelogEntry } from './changelog';

runScript(async () =>
	console.log(changelogEntry(join(__dirname, '..', '..'), (process.argv[2] ?? '').replace(/^v/, '')).text),
);
