/**
 * Checks that no text mentions an operation that doesn't exist: the pages, the notes in the example workflows, and all texts of the nodes.
 * Texts mention an operation by its action or its name, in quotation marks or italics, or as the text of a link to a node's page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniq, uniqBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';
import { loadAllOperations } from '../contract/catalogue';
import { collectTexts } from '../n8n-core/collectTexts';
import { loadCredentialTypes, loadNode, manifest, PACKAGE_ROOT } from '../n8n-core/package';
import { listExamples, readExample } from '../real-n8n/examples';
import { getFieldGroups, getOptions, listFields } from './nodeFields';

/** Labels of n8n's own forms and nodes that begin like an operation. */
const N8N_LABELS = [
	'Add Column',
	'Add Condition',
	'Add Field',
	'Add first step…',
	'Add Form Element',
	'Add option',
	'Add Row',
	'Create data table',
	'Create workflow',
	'Get row(s)',
	'Make Chat Publicly Available',
	'Remove Duplicates',
	'Remove Items Processed in Previous Executions',
	'Replace Me',
	'Send an Email',
	'Send and Wait for Response',
	'Send Body',
	'Send Email',
	'Send Headers',
	'Test URL',
];

/** Names that operations had before they were grouped by n8n resource, and that aren't just an action in title case. */
const FORMER_NAMES = [
	'Company Group Participants',
	'Delete Enrollment for Good',
	'Exchange Agent Code',
	'Export Sending Report',
	'Generate Client Credentials',
	'Get Agent Login URL',
	'Get Certificates',
	'Get Company Group Members',
	'Get Enrolled Users',
	'Get Enrollment Form Details',
	"Get People's Activity",
	'Get Reminder Mails',
	'Get Target Group Members',
	'Get Training Progress of Period',
	'Get Training Summary',
	'Get User Interactions',
	'Get Users Who',
	'Get Who Opened',
	'Get Who Clicked',
	'People by What They Did',
	'Restore Enrollment',
	'Switch Scheduled Report',
	'to Chosen People',
	...['Phishing', 'Smishing', 'Quishing'].flatMap((simulation) => [
		`Get ${simulation} Campaign Report File`,
		`Search ${simulation} Campaign Job Users`,
		`${simulation} Campaign Scenarios`,
	]),
];

/** A text that may mention operations. */
interface CheckedText {
	/** Where the text is, for messages. */
	place: string;
	text: string;
}

/** The names that texts may mention. */
interface Vocabulary {
	/** All actions and names of operations, labels of forms, and names of nodes in the example workflows. */
	labels: ReadonlySet<string>;
	/** Matches phrases that begin with the verb of an action, such as "Get" or "Create". */
	phrasePattern: RegExp;
	/** The names that no text may mention any more. */
	formerNames: readonly string[];
}

/** The mark for a part of a text that is only known at run time. */
const UNKNOWN_PART = '…';

/** Returns true if a label is equal to a phrase. An unknown part of the phrase stands for any text. */
function isKnownLabel(phrase: string, labels: ReadonlySet<string>): boolean {
	const [label = ''] = phrase.split(': ');
	if (labels.has(label) || labels.has(phrase)) return true;
	if (!phrase.includes(UNKNOWN_PART)) return false;
	const parts = phrase.split(UNKNOWN_PART).map((part) => part.replace(/[^\w\s]/g, '\\$&'));
	const pattern = new RegExp(`^${parts.join('.+')}$`);
	return [...labels].some((knownLabel) => pattern.test(knownLabel));
}

/**
 * Builds a pattern for phrases that begin with one of the verbs: in quotation marks, in italics or in bold, or as the text of a link to a
 * node's page.
 */
const buildPhrasePattern = (verbs: string[]) => {
	const phrase = `(?:${verbs.join('|')}) `;
	return new RegExp(
		`'(${phrase}[^'\\n]+)'|"(${phrase}[^"\\n]+)"|\\*(${phrase}[^*]+)\\*|\\[(${phrase}[^\\]]+)\\]\\([^)\\s]*nodes/\\w+\\.md#`,
		'g',
	);
};

/** Finds the phrases of a text that look like an operation but aren't one. */
const findUnknownPhrases = (text: string, { labels, phrasePattern }: Vocabulary): string[] =>
	[...text.matchAll(phrasePattern)]
		.flatMap((match) => match.slice(1).filter(Boolean))
		.map((phrase) => phrase.replace(/\s+/g, ' '))
		.filter((phrase) => !isKnownLabel(phrase, labels));

/** Converts an action to title case: "Get SCIM fields" becomes "Get SCIM Fields". */
const toTitleCase = (action: string) =>
	action.replace(/\b(?!(?:and|by|for|in|of|on|or|to|who)\b)[a-z]/g, (letter) => letter.toUpperCase());

/** Finds former names of operations in a text, and actions in title case, which were names too. */
const findFormerNames = (text: string, { formerNames }: Vocabulary): string[] => {
	const plainText = text.replace(/\s+/g, ' ');
	return formerNames.filter((name) => plainText.includes(name));
};

/** Lists the labels of a form: of its fields and options, at any depth. */
const listLabels = (properties: INodeProperties[]): string[] =>
	listFields({ properties }).flatMap(({ property }) => [
		property.displayName,
		...getOptions(property).map(({ name }) => name),
		...getFieldGroups(property).map(({ displayName }) => displayName),
	]);

/** Lists the files in a folder, except the facts, which use the platform's words, and the pages that are generated from the nodes. */
const listFiles = (folder: string, extension: string) =>
	readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
		.map((path) => join(folder, path).replaceAll('\\', '/'))
		.filter((path) => path.endsWith(extension) && !/^docs\/(facts|nodes)\//.test(path));

const readText = (place: string): CheckedText => ({ place, text: readFileSync(join(PACKAGE_ROOT, place), 'utf8') });

const pages = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md', ...listFiles('docs', '.md')].map(readText);
const sources = [...listFiles('nodes', '.ts'), ...listFiles('credentials', '.ts')].map(readText);

/** Lists the texts in a source file. Expressions inside a text are replaced by `UNKNOWN_PART`. */
function listStrings({ place, text: source }: CheckedText): CheckedText[] {
	const texts: CheckedText[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push({ place, text: node.text });
		if (ts.isTemplateExpression(node)) {
			const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
			texts.push({ place, text: parts.join(UNKNOWN_PART) });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(place, source, ts.ScriptTarget.Latest));
	return texts;
}

let vocabulary: Vocabulary;
let nodeTexts: CheckedText[];
let exampleTexts: CheckedText[];
beforeAll(async () => {
	const operations = (await loadAllOperations()).map(({ operation }) => operation);
	const descriptions = (await Promise.all(manifest.n8n.nodes.map((path) => loadNode(path)))).map(
		({ description }) => description,
	);
	const credentials = await loadCredentialTypes();
	const workflows = await Promise.all(
		[...(await listExamples()).map(({ name }) => name), 'demo'].map((name) => readExample(name)),
	);
	const actions = operations.map(({ action }) => action);
	const labels = new Set([
		...actions,
		...operations.map(({ name }) => name),
		...[...descriptions, ...credentials].flatMap(({ properties }) => listLabels(properties)),
		...workflows.flatMap(({ nodes }) => nodes.map(({ name }) => name)),
		...N8N_LABELS,
	]);
	vocabulary = {
		labels,
		phrasePattern: buildPhrasePattern(uniq(actions.map((action) => action.split(' ')[0] ?? ''))),
		formerNames: [...actions.map(toTitleCase).filter((name) => !labels.has(name)), ...FORMER_NAMES],
	};
	// Many nodes have the same fields, so most texts occur several times.
	nodeTexts = uniqBy(
		[...descriptions, ...credentials].flatMap((description) =>
			uniq(collectTexts(description)).map((text) => ({ place: description.displayName, text })),
		),
		'text',
	);
	exampleTexts = workflows.flatMap(({ name, nodes }) =>
		nodes.flatMap(({ notes = '', parameters: { content, toolDescription } }) =>
			collectTexts([notes, content, toolDescription]).map((text) => ({ place: name, text })),
		),
	);
});

/** Describes what a search finds in texts, such as "docs/jobs.md: Get Many Customers". */
const describeFaults = (texts: CheckedText[], findFaults: (text: string, vocabulary: Vocabulary) => string[]) =>
	uniq(texts.flatMap(({ place, text }) => findFaults(text, vocabulary).map((fault) => `${place}: ${fault}`)));

test('every operation that a text mentions exists', () => {
	const texts = [...pages, ...exampleTexts, ...nodeTexts, ...sources.flatMap(listStrings)];
	expect(describeFaults(texts, findUnknownPhrases)).toEqual([]);
	expect(texts.length).toBeGreaterThan(1000);
});

test('no text and no comment has a former name of an operation', () => {
	expect(describeFaults([...pages, ...exampleTexts, ...nodeTexts, ...sources], findFormerNames)).toEqual([]);
});

test('mentions of unknown operations are found', () => {
	const findFaults = (text: string) => [...findUnknownPhrases(text, vocabulary), ...findFormerNames(text, vocabulary)];
	expect(findFaults("Use 'Get many campaigns of everybody', or *Send Letter*.")).toEqual([
		'Get many campaigns of everybody',
		'Send Letter',
	]);
	expect(findFaults("Use 'Get … campaign of everybody'.")).toEqual(['Get … campaign of everybody']);
	expect(findFaults('[Get every company](../nodes/company.md#get-many-companies)')).toEqual(['Get every company']);
	expect(findFaults('First run Get Many Companies, then Get Training Summary.')).toEqual([
		'Get Many Companies',
		'Get Training Summary',
	]);
	expect(findFaults("Use 'Get many … campaigns', *Get many companies*, 'Get Many' or *Send To: Failed*.")).toEqual([]);
});
