import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PACKAGE_ROOT } from '../../test/n8n-core/package';
import { findOwnerFactProblems, parseOwnerFacts } from './owner';
import { checkRepository, readPublishOptions } from './publishCommand';

const read = (file: string) => readFileSync(join(PACKAGE_ROOT, file), 'utf8');
const TABLE_HEAD = '| What | Value | Stands in |\n| --- | --- | --- |\n';
const buildPage = (value: string) =>
	`Before.\n\n${TABLE_HEAD}| Author | ${value} | a.json, b.md |\n| Name | Ann | a.json |\n\nAfter.\n`;
const pageWithAction = `${TABLE_HEAD}| Commit of some/action | 0a1b | a.yml |\n`;
const files: Record<string, string> = { 'a.json': '"Ann", "Ben"', 'b.md': 'By Ann' };

test.each([
	['filled in and in every file', 'Ann', []],
	['not filled in', 'TO BE FILLED IN', ['Author: to be filled in in docs/publishing.md']],
	['missing in one file', 'Ben', ['Author: b.md does not have Ben everywhere']],
])('a value that only the owner knows: %s', (_, value, expected) => {
	expect(findOwnerFactProblems(buildPage(value), (file) => files[file] ?? '')).toEqual(expected);
});

test('a GitHub action must be pinned in every line that uses it', () => {
	const findActionProblems = (ref: string) =>
		findOwnerFactProblems(
			pageWithAction,
			() => `uses: some/action/init@0a1b\nuses: some/action@${ref}\nuses: other@v1`,
		);
	expect([findActionProblems('0a1b'), findActionProblems('v2')]).toEqual([
		[],
		['Commit of some/action: a.yml does not have 0a1b everywhere'],
	]);
});

test('every GitHub action has a row that names the workflows that use it', () => {
	const folder = '.github/workflows';
	const rows = parseOwnerFacts(read('docs/publishing.md')).map(({ name, files }) => `${name} in ${files.join(' ')}`);
	const usedActions = readdirSync(join(PACKAGE_ROOT, folder)).flatMap((file) =>
		[...read(`${folder}/${file}`).matchAll(/uses: ([^/\s]+\/[^/@\s]+)/g)].map(([, action = '']) => [
			action,
			`${folder}/${file}`,
		]),
	);
	expect(usedActions.length).toBeGreaterThan(10);
	const isListed = (action = '', file = '') =>
		rows.some((row) => row.startsWith(`Commit of ${action} in `) && row.includes(file));
	expect(usedActions.filter(([action, file]) => !isListed(action, file))).toEqual([]);
});

test('the release workflow publishes the packed file with provenance', () => {
	const { all, withoutProvenance } = readPublishOptions(read('.github/workflows/release.yml'));
	expect(all).toEqual(['--provenance', '--access', 'public', '--ignore-scripts']);
	expect(withoutProvenance).toEqual(['--access', 'public', '--ignore-scripts']);
});

test.each([
	['without provenance', '  npm publish ./release/*.tgz --access public', 'publishes without --provenance'],
	['without the packed file', '  npm publish --provenance', 'has no line "npm publish ./release/*.tgz …"'],
])('a workflow that publishes %s is a problem', (_, workflow, message) => {
	expect(() => readPublishOptions(workflow)).toThrow(message);
});

test('package.json must name the repository of the workflow, with the same capital letters', () => {
	expect(() => checkRepository('git+https://github.com/Acme/nodes.git', 'Acme/nodes')).not.toThrow();
	expect(() => checkRepository('git+https://github.com/acme/nodes.git', 'Acme/nodes')).toThrow(
		'git+https://github.com/acme/nodes.git must be git+https://github.com/Acme/nodes.git',
	);
});
