import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Problem } from '../../test/real-n8n/problem';

/**
 * Reads the entry of a version in CHANGELOG.md.
 * @returns the date, which may be "Unreleased", and the text without the heading
 * @throws Problem if there is no entry, or if it lists no change
 */
export function readChangelogEntry(root: string, version: string): { date: string; text: string } {
	// An entry starts with a line such as "## [1.2.3] - 2026-11-21" and ends before the next such line.
	const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
	const section = sections.find((text) => text.startsWith(`[${version}]`));
	if (!section) throw new Problem(`CHANGELOG.md has no entry "## [${version}] - <date>"`);
	const [heading = '', ...lines] = section.split('\n');
	const text = lines.join('\n').trim();
	if (!/^- /m.test(text)) throw new Problem(`The entry of ${version} in CHANGELOG.md lists no change`);
	return { date: heading.split(' - ')[1]?.trim() ?? '', text };
}
