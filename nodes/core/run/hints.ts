import { sortBy, sumBy, uniq, uniqBy } from 'lodash';
import type { NodeExecutionHint } from 'n8n-workflow';

import type { SearchReport } from '../response/responseHandler';
import { escapeHtml, formatList, formatCount, type Choice } from '../values';
import type { CompanyResult } from './failures';
import type { Operation } from '../operation/defineOperation';
import type { SearchSummary } from './searchSummary';

/** The subject of a hint's message: a company, a detail, or both. */
interface HintSubject {
	detail: string | undefined;
	company: Choice | undefined;
}

/** The result of one item for one company, used to build hints. */
interface ItemSummary {
	company: Choice | undefined;
	/** The index of the input item. */
	itemIndex: number;
	/** The number of output items; undefined if the item failed. */
	count: number | undefined;
	search: SearchSummary | undefined;
}

/** The data from which the hints are built after a run. */
export interface RunHints {
	/** The subjects of each message, by the message. */
	messages: Map<string, HintSubject[]>;
	/** The IDs of all companies of the run. */
	companyIds: Set<string>;
	itemSummaries: ItemSummary[];
	/** The operations' reports of how many records they searched. */
	searchReports: SearchReport[];
}

export const createRunHints = (): RunHints => ({
	messages: new Map(),
	companyIds: new Set(),
	itemSummaries: [],
	searchReports: [],
});

/** Adds a message. If the message was already added, this adds another subject to it. */
export function addHint({ messages }: RunHints, message: string, detail?: string, company?: Choice): void {
	const subjects = messages.get(message) ?? [];
	messages.set(message, subjects);
	subjects.push({ detail, company });
}

/** Adds a message that is about the whole run. It is shown once, without subjects. */
export function addGeneralHint({ messages }: RunHints, message: string): void {
	messages.set(message, []);
}

/**
 * Adds the results of an item.
 * @param search the search of the item; undefined if an empty result needs no explanation
 */
export function addResults(
	{ itemSummaries }: RunHints,
	itemIndex: number,
	results: readonly CompanyResult[],
	search?: SearchSummary,
): void {
	for (const { company, outcome } of results)
		itemSummaries.push({ company, itemIndex, count: outcome.ok ? outcome.value.length : undefined, search });
}

/** The maximum number of names in a hint. */
const MAX_NAMES = 3;

const getLabel = ({ name, id }: Choice) => name || id;

/** Builds the hints in n8n's format. n8n shows them even above an empty output. They are escaped, because n8n renders them as HTML. */
export function buildHints(hints: RunHints, operation: Operation): NodeExecutionHint[] {
	const messages = [...hints.messages].map(([message, subjects]) =>
		formatMessage(message, subjects, hints.companyIds.size),
	);
	return [...messages, describeFailures(hints), explainEmptyOutput(hints, operation)]
		.filter((message) => message !== undefined)
		.map((message) => ({ message: escapeHtml(message), location: 'outputPane' }));
}

/**
 * Appends the subjects of a message to it: the first few of them by name, and the number of the others.
 * @param companyCount the number of companies of the run
 */
function formatMessage(message: string, subjects: HintSubject[], companyCount: number): string {
	const uniqueSubjects = uniqBy(subjects, ({ detail, company }) => JSON.stringify([company?.id, detail]));
	const affectedCount = uniq(uniqueSubjects.flatMap(({ company }) => company?.id ?? [])).length;
	const namesCompanies = affectedCount > 0 && companyCount > 1;
	// A single subject without a detail would add nothing to the message.
	if (subjects.length <= 1 && subjects[0]?.detail === undefined && !namesCompanies) return message;
	const labels = uniqueSubjects.flatMap((subject) => formatSubject(subject) ?? []);
	const affected = labels.length > 0 ? formatList(labels, ', ', MAX_NAMES) : formatCount(subjects.length, 'item');
	return `${message} This is so for ${namesCompanies ? `${affectedCount} of ${companyCount} customers: ` : ''}${affected}.`;
}

function formatSubject({ detail, company }: HintSubject): string | undefined {
	const name = company && getLabel(company);
	return name && detail ? `${name} (${detail})` : (name ?? detail);
}

/** Describes how many items failed, if the node continues on failure. A single failed item needs no hint. */
function describeFailures({ itemSummaries }: RunHints): string | undefined {
	const failures = sortBy(itemSummaries, 'itemIndex').filter(({ count }) => count === undefined);
	if (failures.length === 0 || itemSummaries.length === 1) return undefined;
	const names = failures.map(({ company, itemIndex }) => (company ? getLabel(company) : `item ${itemIndex}`));
	return `${failures.length} of ${itemSummaries.length} failed: ${formatList(names, ', ', MAX_NAMES)}. The field message of their items says why.`;
}

/** Explains an empty output: what was searched for, where, and in how many records. */
function explainEmptyOutput(
	{ itemSummaries, searchReports: searches }: RunHints,
	{ purpose }: Operation,
): string | undefined {
	if (itemSummaries.some(({ count = 0 }) => count > 0)) return undefined;
	const emptySummaries = itemSummaries.filter(({ count }) => count === 0);
	const uniqueSearches = uniqBy(
		emptySummaries.flatMap(({ search }) => search ?? []),
		({ period, filters }) => period + filters,
	);
	const [firstSearch] = uniqueSearches;
	if (!firstSearch) return undefined;
	// If the items searched for different things, the hint names no period and no filters.
	const { period, filters } = uniqueSearches.length > 1 ? { period: '', filters: '' } : firstSearch;

	const companies = uniqBy(
		emptySummaries.flatMap(({ company }) => company ?? []),
		'id',
	);
	const place = describePlace(companies);
	const [firstReport] = searches;
	const recordCount = sumBy(searches, 'count');
	if (firstReport && recordCount > 0)
		return `${formatCount(recordCount, firstReport.noun)}${period}${place}, but ${firstReport.emptyReason}${filters}.`;

	const emptyPlace = companies.length > 1 ? place.replace(' at ', ' at any of ') : place;
	if (firstReport) return `No ${firstReport.noun}${period}${emptyPlace}.`;
	return `No ${purpose.replace(/^(get|search) (all )?/, '')}${period}${emptyPlace}${filters}.`;
}

/** Describes where a search looked: " at Bakery", or " at 3 customers"; empty for the credential's own company. */
function describePlace(companies: readonly Choice[]): string {
	if (companies.length > 1) return ` at ${companies.length} customers`;
	const [company] = companies;
	return company ? ` at ${getLabel(company)}` : '';
}
