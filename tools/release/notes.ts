// tsx tools/release/notes.ts v1.2.3: prints the changelog entry of the version, for the description of the release.
import { join } from 'node:path';

import { runScript } from '../../test/real-n8n/script';
import { readChangelogEntry } from './changelog';

runScript(async () => {
	const version = (process.argv[2] ?? '').replace(/^v/, '');
	console.log(readChangelogEntry(join(__dirname, '..', '..'), version).text);
});
