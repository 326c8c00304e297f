/** Tests that the page in the docs about the frameworks of example 19 says the same as the page in each pack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../n8n-core/package';
import { readExample } from '../real-n8n/examples';

/** Matches a row of the page in the pack: what is asked in two parts, the figures, the files, and what can't be proved. */
const ROW_PATTERN = /<tr><td><b>(.*?)<\/b><br>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/gs;

test('the docs have each framework and each row of the page, with the same files', async () => {
	const { nodes } = await readExample('19-evidence-pack');
	const html = String(nodes.find(({ name }) => name === 'Write the Frameworks')?.parameters.html);
	const page = readFileSync(join(PACKAGE_ROOT, 'docs', 'examples', '19-frameworks.md'), 'utf8');
	const pageRows = page
		.split('\n')
		.filter((line) => line.startsWith('| **'))
		.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('**', '')));
	const headings = [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => `## ${heading}`);
	const rows = [...html.matchAll(ROW_PATTERN)].map(([, title = '', text, figures = '', files = '', limit]) => [
		`${title}${title.endsWith('?') ? '' : ':'} ${text}`,
		figures.includes('No figure'),
		files.replaceAll('<br>', ', ').replace(/<\/?code>/g, '') || 'none',
		limit,
	]);

	expect(headings).toHaveLength(6);
	expect(headings.filter((heading) => !page.includes(heading))).toEqual([]);
	expect(
		pageRows.map(([, requirement, figures, files, limit]) => [requirement, figures === 'None', files, limit]),
	).toEqual(
		rows.map(([requirement, hasNoFigure, files, limit]) => [
			requirement,
			hasNoFigure,
			files === '–' ? 'none' : files,
			limit,
		]),
	);
});
