/** Checks that every citation of a fact leads to a heading in docs/facts. docs/facts/README.md describes the form of citations. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PACKAGE_ROOT } from '../n8n-core/package';

const FACTS_FOLDER = 'docs/facts';
const SEARCHED_PATHS = ['nodes', 'credentials', 'test', 'tools', 'docs', 'README.md', 'CONTRIBUTING.md'];

/** The file in docs/facts for each name that a citation may use. */
const FILE_BY_CITED_NAME: Readonly<Record<string, string>> = {
	contract: 'reseller-management-api.md',
	n8n: 'n8n.md',
	'deployment activity': 'deployment-activity.md',
	'deployment behaviour': 'deployment-behaviour.md',
	'deployment beyond': 'deployment-beyond.md',
	'deployment facts': 'deployment-facts.md',
	'deployment onboarding': 'deployment-onboarding.md',
	'deployment shapes': 'deployment-shapes.md',
};

const NUMBER_PATTERN = String.raw`\d+(?:\.\d+)?`;
const HEADINGS_PATTERN = String.raw`\s(?:${NUMBER_PATTERN})(?:,\s${NUMBER_PATTERN})*|(?:,\s"[^"]+")+`;
const DEPLOYMENT_PATTERN = String.raw`deployment\s(?:activity|behaviour|beyond|facts|onboarding|shapes)`;

/** Match citations of a file and its headings. "n8n 2" is a citation only within parentheses, because it may also be a version. */
const CITATION_PATTERNS = [
	new RegExp(String.raw`\b(?<file>contract)(?<headings>${HEADINGS_PATTERN})`, 'gi'),
	new RegExp(String.raw`\b(?<file>${DEPLOYMENT_PATTERN})(?<headings>${HEADINGS_PATTERN})`, 'gi'),
	new RegExp(String.raw`(?<=[(;]\s?)(?<file>n8n)(?<headings>\s\d+(?:,\s\d+)*|(?:,\s"[^"]+")+)(?=[;)])`, 'g'),
	new RegExp(String.raw`\bsection(?<headings>\s${NUMBER_PATTERN})\sof\sthe\s(?<file>contract)`, 'gi'),
	new RegExp(String.raw`\b(?<file>contract)'s\ssection(?<headings>\s${NUMBER_PATTERN})`, 'gi'),
];

/** Match texts that look like a citation but name no heading. */
const INCOMPLETE_CITATION_PATTERNS = [
	new RegExp(String.raw`\b${DEPLOYMENT_PATTERN}\b(?!${HEADINGS_PATTERN})`, 'gi'),
	new RegExp(String.raw`\bcontract(?:'s(?:\s\w+){1,5})?\s\(${NUMBER_PATTERN}\)`, 'gi'),
	/\bn8n-facts\b/gi,
];

/**
 * Reads the numbers and the titles of a page's headings, except the title of the page itself. The entries of numbered lists count as
 * headings, too: the second entry of section 5 is "5.2".
 */
function readHeadings(page: string): Set<string> {
	const names = new Set<string>();
	let section = '';
	for (const line of page.split('\n')) {
		const [, title] = /^##+ (.+)$/.exec(line) ?? [];
		const [, entryNumber] = /^(\d+)\. /.exec(line) ?? [];
		if (title !== undefined) {
			const [, number = '', name = title] = /^(\d+(?:\.\d+)?)\.?\s+(.*)$/.exec(title) ?? [];
			section = number;
			for (const heading of [number, name, name.replace(/ \([^()]*\)$/, '')]) names.add(heading);
		} else if (entryNumber !== undefined) names.add(`${section}.${entryNumber}`);
	}
	return names;
}

const headingsByFile = new Map(
	Object.values(FILE_BY_CITED_NAME).map((file) => [
		file,
		readHeadings(readFileSync(join(PACKAGE_ROOT, FACTS_FOLDER, file), 'utf8')),
	]),
);

/** Removes the comment marks at the beginning of lines, so that a citation may continue on the next line. Line breaks are kept. */
const removeCommentMarks = (text: string): string => text.replace(/[ \t]*\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, '\n');

/** Replaces line breaks and repeated spaces by one space. */
const joinLines = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Splits the part of a citation that names headings, such as ' 2.1, 2.3' or ', "Naming", "Requests"'. */
const splitHeadings = (citedHeadings: string): string[] =>
	(joinLines(citedHeadings).match(/"[^"]+"|\d+(?:\.\d+)?/g) ?? []).map((heading) => heading.replaceAll('"', ''));

interface CitationReport {
	/** The number of cited headings. */
	count: number;
	/** A sentence for each citation that leads nowhere. */
	faults: string[];
}

/** Checks the citations of a file. @param path the path that the faults give for the file */
function checkCitations(path: string, text: string): CitationReport {
	const plainText = removeCommentMarks(text);
	const faults: string[] = [];
	const addFault = (index: number, fault: string) => {
		const line = plainText.slice(0, index).split('\n').length;
		faults.push(`${path}:${line}: ${fault}`);
	};
	let count = 0;
	for (const pattern of CITATION_PATTERNS)
		for (const { index, groups } of plainText.matchAll(pattern)) {
			const name = joinLines(groups?.file ?? '').toLowerCase();
			const file = FILE_BY_CITED_NAME[name] ?? '';
			for (const heading of splitHeadings(groups?.headings ?? '')) {
				count += 1;
				if (headingsByFile.get(file)?.has(heading) !== true)
					addFault(index, `${FACTS_FOLDER}/${file} has no heading '${heading}'`);
			}
		}
	for (const pattern of INCOMPLETE_CITATION_PATTERNS)
		for (const { index, 0: phrase } of plainText.matchAll(pattern))
			addFault(index, `'${joinLines(phrase)}' names no heading, or not in the form of ${FACTS_FOLDER}/README.md`);
	for (const { index, 0: file } of plainText.matchAll(/\bdocs\/facts\/[\w-]+\.md\b/g))
		if (!existsSync(join(PACKAGE_ROOT, file))) addFault(index, `There is no file ${file}`);
	return { count, faults };
}

/** Lists the sources and pages of the repository that may cite facts. It omits this file, whose tests have wrong citations on purpose. */
function listSearchedFiles(): string[] {
	const files = SEARCHED_PATHS.map((path) => join(PACKAGE_ROOT, path)).flatMap((path) =>
		statSync(path).isFile()
			? [path]
			: readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name)),
	);
	// `npm run release:check` installs programs into tools/release/.tools.
	return files.filter(
		(file) => /\.(ts|js|mjs|cjs|md)$/.test(file) && !file.includes('node_modules') && file !== __filename,
	);
}

test('every citation leads to a heading', () => {
	const reports = listSearchedFiles().map((file) =>
		checkCitations(relative(PACKAGE_ROOT, file), readFileSync(file, 'utf8')),
	);
	expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
	expect(reports.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(300);
});

test('every file that n8n.md names is there', () => {
	const page = readFileSync(join(PACKAGE_ROOT, FACTS_FOLDER, 'n8n.md'), 'utf8');
	const paths = [...page.matchAll(/`((?:nodes|test|tools)\/[\w/.-]+)`/g)].map(([, path = '']) => path);
	expect(paths.filter((path) => !existsSync(join(PACKAGE_ROOT, path)))).toEqual([]);
	expect(paths.length).toBeGreaterThan(5);
});

test.each([
	'(contract 4.1)',
	'(contract 2.1, 2.3; deployment facts, "Responses")',
	'(contract 5.2)',
	'(n8n 12)',
	'(deployment behaviour, "Companies", "Search bodies"; deployment activity 6)',
	'by section 4 of the contract',
	'(deployment\n\t * shapes, "Training\n\t * reports")',
	'in n8n 2.41 (n8n 1.123 does not)',
])('a citation that leads to a heading: %j', (text) => {
	expect(checkCitations('a.ts', `/** A fact ${text}. */`).faults).toEqual([]);
});

test.each([
	['(contract 4.99)', "docs/facts/reseller-management-api.md has no heading '4.99'"],
	['(contract 5.99)', "docs/facts/reseller-management-api.md has no heading '5.99'"],
	['(contract 4.1, 99)', "docs/facts/reseller-management-api.md has no heading '99'"],
	['(contract 4.1; n8n 99)', "docs/facts/n8n.md has no heading '99'"],
	['(deployment facts, "Nothing")', "docs/facts/deployment-facts.md has no heading 'Nothing'"],
	['(deployment\n\t * activity\n\t * 99)', "docs/facts/deployment-activity.md has no heading '99'"],
	['(deployment beyond)', "'deployment beyond' names no heading"],
	['(deployment activity, 6)', "'deployment activity' names no heading"],
	['of the contract (4.1)', "'contract (4.1)' names no heading"],
	['(n8n-facts 12)', "'n8n-facts' names no heading"],
	['(docs/facts/nothing.md)', 'There is no file docs/facts/nothing.md'],
])('a citation that leads nowhere: %j', (text, fault) => {
	expect(checkCitations('a.ts', `\n/** A fact ${text}. */`).faults).toEqual([
		expect.stringContaining(`a.ts:2: ${fault}`),
	]);
});
