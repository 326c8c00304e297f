import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Problem } from '../../test/real-n8n/problem';

/**
 * The entry of a version in CHANGELOG.md: its date, or "Unreleased", and its text without the heading.
 * @throws Problem when there is none, or nothing in it
 */
export function changelogEntry(root: string, version: string): { date: string; text: string } {
	// "## [1.2.3] - 2026-11-21", then its text up to the next such line.
	const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
	const section = sections.find((each) => each.startsWith(`[${version}]`));
	if (!section) throw new Problem(`CHANGELOG.md has no entry "## [${version}] - <date>"`);
	const [heading = '', ...lines] = section.split('\n');
	const text = lines.join('\n').trim();
	if (!/^- /m.test(text)) throw new Problem(`The entry of ${version} in CHANGELOG.md lists no change`);
	return { date: heading.split(' - ')[1]?.trim() ?? '', text };
}
