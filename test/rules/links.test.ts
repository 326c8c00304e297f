/** Checks that every link of the documentation leads to an existing file, and to an existing heading in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_ROOT } from '../n8n-core/package';

const readPage = (path: string) => readFileSync(join(PACKAGE_ROOT, path), 'utf8');
const pages = [
	...readdirSync(PACKAGE_ROOT).filter((file) => file.endsWith('.md')),
	...readdirSync(join(PACKAGE_ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** Converts a heading to its anchor, the part of a link after "#". */
const toAnchor = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\d\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

const listAnchors = (path: string) =>
	[...readPage(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading));

/** Finds the links of a page that lead nowhere. */
function findDeadLinks(page: string): string[] {
	const links = [...readPage(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].map(([, link = '']) => link);
	return links.filter((link) => {
		const [file = '', anchor] = link.split('#');
		const path = file === '' ? page : join(dirname(page), file);
		if (!existsSync(join(PACKAGE_ROOT, path))) return true;
		return anchor !== undefined && !listAnchors(path).includes(anchor);
	});
}

test.each(pages)('%s', (page) => {
	expect(findDeadLinks(page)).toEqual([]);
});
