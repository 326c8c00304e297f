/** Checks that every citation of a fact leads to a heading in docs/facts. docs/facts/README.md says how to cite. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../n8n-core/package';

const FACTS = 'docs/facts';
const SEARCHED = ['nodes', 'credentials', 'test', 'tools', 'docs', 'README.md', 'CONTRIBUTING.md'];

/** The file that each cited name stands for. */
const FILES: Readonly<Record<string, string>> = {
	contract: 'reseller-management-api.md',
	n8n: 'n8n.md',
	'deployment activity': 'deployment-activity.md',
	'deployment behaviour': 'deployment-behaviour.md',
	'deployment beyond': 'deployment-beyond.md',
	'deployment facts': 'deployment-facts.md',
	'deployment onboarding': 'deployment-onboarding.md',
	'deployment shapes': 'deployment-shapes.md',
};

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const HEADINGS = String.raw`\s(?:${NUMBER})(?:,\s${NUMBER})*|(?:,\s"[^"]+")+`;
const DEPLOYMENT = String.raw`deployment\s(?:activity|behaviour|beyond|facts|onboarding|shapes)`;

/** Citations with a file and its headings. Only within parentheses is "n8n 2" a citation, because it is a version as well. */
const CITATIONS = [
	new RegExp(String.raw`\b(?<file>contract)(?<headings>${HEADINGS})`, 'gi'),
	new RegExp(String.raw`\b(?<file>${DEPLOYMENT})(?<headings>${HEADINGS})`, 'gi'),
	new RegExp(String.raw`(?<=[(;]\s?)(?<file>n8n)(?<headings>\s\d+(?:,\s\d+)*|(?:,\s"[^"]+")+)(?=[;)])`, 'g'),
	new RegExp(String.raw`\bsection(?<headings>\s${NUMBER})\sof\sthe\s(?<file>contract)`, 'gi'),
	new RegExp(String.raw`\b(?<file>contract)'s\ssection(?<headings>\s${NUMBER})`, 'gi'),
];

/** Texts that look like a citation but name no heading. */
const INCOMPLETE = [
	new RegExp(String.raw`\b${DEPLOYMENT}\b(?!${HEADINGS})`, 'gi'),
	new RegExp(String.raw`\bcontract(?:'s(?:\s\w+){1,5})?\s\(${NUMBER}\)`, 'gi'),
	/\bn8n-facts\b/gi,
];

/**
 * Returns the numbers and the titles of a page's headings, but not the title of the page itself. The rules of a numbered
 * list count as well: the second one of section 5 is "5.2".
 */
function readHeadings(page: string): Set<string> {
	const names = new Set<string>();
	let section = '';
	for (const line of page.split('\n')) {
		const [, title] = /^##+ (.+)$/.exec(line) ?? [];
		const [, rule] = /^(\d+)\. /.exec(line) ?? [];
		if (title !== undefined) {
			const [, number = '', name = title] = /^(\d+(?:\.\d+)?)\.?\s+(.*)$/.exec(title) ?? [];
			section = number;
			for (const heading of [number, name, name.replace(/ \([^()]*\)$/, '')]) names.add(heading);
		} else if (rule !== undefined) names.add(`${section}.${rule}`);
	}
	return names;
}

const headings = new Map(
	Object.values(FILES).map((file) => [file, readHeadings(readFileSync(join(packageRoot, FACTS, file), 'utf8'))]),
);

/** Removes what begins a line of a comment, so that a citation may be broken over two lines. The number of lines stays. */
const joinComments = (text: string): string => text.replace(/[ \t]*\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, '\n');

/** Replaces line breaks, so that a citation has one form. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Splits the headings of a citation: ' 2.1, 2.3' or ', "Naming", "Requests"'. */
const splitHeadings = (cited: string): string[] =>
	(onOneLine(cited).match(/"[^"]+"|\d+(?:\.\d+)?/g) ?? []).map((heading) => heading.replaceAll('"', ''));

interface Citations {
	/** The number of cited headings. */
	count: number;
	/** A sentence for each one that leads nowhere. */
	faults: string[];
}

/** Reads the citations of a file and checks each of them. @param path for the messages */
function checkCitations(path: string, text: string): Citations {
	const joined = joinComments(text);
	const faults: string[] = [];
	const addFault = (index: number, fault: string) => {
		const line = joined.slice(0, index).split('\n').length;
		faults.push(`${path}:${line}: ${fault}`);
	};
	let count = 0;
	for (const pattern of CITATIONS)
		for (const { index, groups } of joined.matchAll(pattern)) {
			const name = onOneLine(groups?.file ?? '').toLowerCase();
			const file = FILES[name] ?? '';
			for (const heading of splitHeadings(groups?.headings ?? '')) {
				count += 1;
				if (headings.get(file)?.has(heading) !== true) addFault(index, `${FACTS}/${file} has no heading '${heading}'`);
			}
		}
	for (const pattern of INCOMPLETE)
		for (const { index, 0: phrase } of joined.matchAll(pattern))
			addFault(index, `'${onOneLine(phrase)}' names no heading, or not in the form of ${FACTS}/README.md`);
	for (const { index, 0: file } of joined.matchAll(/\bdocs\/facts\/[\w-]+\.md\b/g))
		if (!existsSync(join(packageRoot, file))) addFault(index, `There is no file ${file}`);
	return { count, faults };
}

/** Lists the sources and pages of the repository that may cite facts. This file has citations that lead nowhere. */
function listFiles(): string[] {
	const files = SEARCHED.map((path) => join(packageRoot, path)).flatMap((path) =>
		statSync(path).isFile()
			? [path]
			: readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name)),
	);
	return files.filter((file) => /\.(ts|js|mjs|cjs|md)$/.test(file) && file !== __filename);
}

test('every citation leads to a heading', () => {
	const checked = listFiles().map((file) => checkCitations(relative(packageRoot, file), readFileSync(file, 'utf8')));
	expect(checked.flatMap(({ faults }) => faults)).toEqual([]);
	expect(checked.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(300);
});

test('every file that n8n.md names is there', () => {
	const page = readFileSync(join(packageRoot, FACTS, 'n8n.md'), 'utf8');
	const paths = [...page.matchAll(/`((?:nodes|test|tools)\/[\w/.-]+)`/g)].map(([, path = '']) => path);
	expect(paths.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
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
