/** Every link of the documentation leads somewhere: to a file that is there, and to a heading in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../n8n-core/package';

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
const pages = [
	...readdirSync(packageRoot).filter((file) => file.endsWith('.md')),
	...readdirSync(join(packageRoot, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.md'))
		.map((file) => join('docs', file)),
];

/** A heading as the address of its place in the page. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\d\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');
const anchorsIn = (path: string) =>
	[...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The links of a page that lead nowhere. */
function dead(page: string): string[] {
	const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].map(([, link = '']) => link);
	return links.filter((link) => {
		const [file = '', anchor] = link.split('#');
		const path = file === '' ? page : join(dirname(page), file);
		if (!existsSync(join(packageRoot, path))) return true;
		return anchor !== undefined && !anchorsIn(path).includes(anchor);
	});
}

test.each(pages)('%s', (page) => {
	expect(dead(page)).toEqual([]);
});
