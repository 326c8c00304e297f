import { sortBy, sumBy, uniq, uniqBy } from 'lodash';
import type { NodeExecutionHint } from 'n8n-workflow';

import type { Looked } from '../response/responseHandler';
import { escapeHtml, listOf, plural, type Choice } from '../values';
import type { Result } from './failures';
import type { Operation } from '../operation/defineOperation';
import type { Sought } from './searchSummary';

interface About {
	what: string | undefined;
	company: Choice | undefined;
}

/** What came of one item for one company, as far as it is told. */
interface Outcome {
	company: Choice | undefined;
	item: number;
	/** How many items came out; undefined if it failed. */
	count: number | undefined;
	sought: Sought | undefined;
}

/** What is told to a person after a run, besides its items. */
export interface Told {
	messages: Map<string, About[]>;
	/** The IDs of the companies that were asked. */
	asked: Set<string>;
	outcomes: Outcome[];
	looked: Looked[];
}

export const nothingTold = (): Told => ({ messages: new Map(), asked: new Set(), outcomes: [], looked: [] });

/** Takes a message, or one more thing that it is about. */
export function tell({ messages }: Told, message: string, what?: string, company?: Choice): void {
	const about = messages.get(message) ?? [];
	messages.set(message, about);
	about.push({ what, company });
}

/** Takes what came of an item. @param sought undefined where an empty result needs no words */
export function tellResults({ outcomes }: Told, item: number, results: readonly Result[], sought?: Sought): void {
	for (const { company, outcome } of results)
		outcomes.push({ company, item, count: outcome.ok ? outcome.value.length : undefined, sought });
}

/** How many names a hint has. */
const MOST_NAMES = 3;

const nameOf = ({ name, id }: Choice) => name || id;

/** The hints for n8n. It shows them above an empty output, too, and reads them as HTML: a name is not to be that. */
export function hintsOf(told: Told, operation: Operation): NodeExecutionHint[] {
	const messages = [...told.messages].map(([message, about]) => messageOf(message, about, told.asked.size));
	return [...messages, failedNote(told), emptyNote(told, operation)].flatMap((message) =>
		message === undefined ? [] : [{ message: escapeHtml(message), location: 'outputPane' as const }],
	);
}

/** A message with what it is about: the first three, and how many there are. @param asked the number of companies of the run */
function messageOf(message: string, about: About[], asked: number): string {
	const things = uniqBy(about, ({ what, company }) => JSON.stringify([company?.id, what]));
	const names = things.flatMap(({ what, company }) => {
		const name = company && nameOf(company);
		return name && what ? `${name} (${what})` : (name ?? what ?? []);
	});
	const companies = uniq(things.flatMap(({ company }) => company?.id ?? [])).length;
	const isOfMany = companies > 0 && asked > 1;
	if (about.length <= 1 && about[0]?.what === undefined && !isOfMany) return message;
	const whom = names.length > 0 ? listOf(names, ', ', MOST_NAMES) : plural(about.length, 'item');
	return `${message} This is so for ${isOfMany ? `${companies} of ${asked} customers: ` : ''}${whom}.`;
}

/** How many failed, where the node continues. One alone is its own item. */
function failedNote({ outcomes }: Told): string | undefined {
	const failed = sortBy(outcomes, 'item').filter(({ count }) => count === undefined);
	if (failed.length === 0 || outcomes.length === 1) return undefined;
	const names = failed.map(({ company, item }) => (company ? nameOf(company) : `item ${item}`));
	return `${failed.length} of ${outcomes.length} failed: ${listOf(names, ', ', MOST_NAMES)}. The field message of their items says why.`;
}

/** Why nothing came out: what was looked for, where, and in what. */
function emptyNote({ outcomes, looked }: Told, { purpose }: Operation): string | undefined {
	const empty = outcomes.filter(({ count }) => count === 0);
	const [first, ...others] = uniqBy(
		empty.flatMap(({ sought = [] }) => sought),
		({ period, filters }) => period + filters,
	);
	if (!first || outcomes.some(({ count = 0 }) => count > 0)) return undefined;
	// Items that looked for different things have in common only what they are called.
	const { period, filters } = others.length > 0 ? { period: '', filters: '' } : first;
	const companies = uniqBy(
		empty.flatMap(({ company }) => company ?? []),
		'id',
	);
	const [one] = companies;
	const at = companies.length > 1 ? `${companies.length} customers` : one && nameOf(one);
	const nowhere = at === undefined ? '' : companies.length > 1 ? ` at any of ${at}` : ` at ${at}`;
	const [kind] = looked;
	const read = sumBy(looked, 'count');
	if (kind && read > 0)
		return `${plural(read, kind.thing)}${period}${at === undefined ? '' : ` at ${at}`}, but ${kind.none}${filters}.`;
	const things = kind ? kind.thing : purpose.replace(/^(get|search) (all )?/, '');
	return `No ${things}${period}${nowhere}${kind ? '' : filters}.`;
}
