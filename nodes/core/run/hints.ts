import { groupBy, sortBy, sumBy, uniq, uniqBy } from 'lodash';
import type { NodeExecutionHint } from 'n8n-workflow';

import type { OutputItem, SearchReport } from '../response/responseHandler';
import { escapeHtml, formatItemNumber, formatList, formatCount, isEmpty, type Choice } from '../values';
import { getFieldLabels } from '../fields/field';
import { getFailureReason, type CompanyResult } from './failures';
import type { Operation } from '../operation/defineOperation';
import type { SearchSummary } from './searchSummary';

/** A subject of a hint's message: the company that it is about, a detail such as a number of records, or both. */
interface HintSubject {
	detail: string | undefined;
	company: Choice | undefined;
}

/** The result of one input item for one company, from which hints are built. */
interface ItemSummary {
	company: Choice | undefined;
	/** The index of the input item. */
	itemIndex: number;
	/** The number of output items; undefined if the item failed. */
	outputCount: number | undefined;
	/** The error if the item failed. */
	error: unknown;
	searchSummary: SearchSummary | undefined;
}

/** The data that a run collects. When the run ends, the hints are built from it. */
export interface RunHints {
	/** The subjects of each message, with the message as the key. A message for the whole run has no subjects. */
	subjectsByMessage: Map<string, HintSubject[]>;
	/** The IDs of all companies of the run. */
	companyIds: Set<string>;
	/** The names of companies in the output, by the company's ID. Hints use them for companies whose name wasn't known at first. */
	companyNamesById: Map<string, string>;
	itemSummaries: ItemSummary[];
	/** The reports of how many records were searched, one for each search. */
	searchReports: SearchReport[];
}

export const createRunHints = (): RunHints => ({
	subjectsByMessage: new Map(),
	companyIds: new Set(),
	companyNamesById: new Map(),
	itemSummaries: [],
	searchReports: [],
});

/** Adds a message. If the run already has the message, only a subject is added to it. */
export function addHint(hints: RunHints, message: string, detail?: string, company?: Choice): void {
	const subjects = hints.subjectsByMessage.get(message) ?? [];
	hints.subjectsByMessage.set(message, subjects);
	subjects.push({ detail, company });
}

/** Adds a message about the whole run. It is shown without names of companies. */
export function addGeneralHint({ subjectsByMessage }: RunHints, message: string): void {
	subjectsByMessage.set(message, []);
}

/**
 * Adds the results of an input item.
 * @param searchSummary describes what the item searched for; undefined if an empty result needs no explanation
 */
export function addResults(
	{ itemSummaries, companyNamesById }: RunHints,
	itemIndex: number,
	results: readonly CompanyResult[],
	searchSummary?: SearchSummary,
): void {
	for (const { company, outcome } of results) {
		itemSummaries.push({
			company,
			itemIndex,
			outputCount: outcome.ok ? outcome.value.length : undefined,
			error: outcome.ok ? undefined : outcome.error,
			searchSummary,
		});
		const outputItems = outcome.ok ? outcome.value : [];
		const companyName = company && (company.name || findNameInOutput(company.id, outputItems));
		// A company that the user entered by name has no ID if the name was not looked up.
		if (companyName && company.id !== '') companyNamesById.set(company.id, companyName);
	}
}

/** Finds the company's name in its output items. @returns undefined if the items name no company, or also name another one */
function findNameInOutput(companyId: string, outputItems: readonly OutputItem[]): string | undefined {
	const names = uniq(outputItems.map(({ json }) => json.companyName));
	const isAboutCompany = outputItems.every(
		({ json }) => isEmpty(json.companyResourceId) || json.companyResourceId === companyId,
	);
	const [name] = names;
	return isAboutCompany && names.length === 1 && typeof name === 'string' ? name : undefined;
}

/** The maximum number of companies, details or items that a hint names. */
const MAX_NAMES_IN_HINT = 3;

/** Returns the company's name if it is known, and its ID otherwise. */
const getCompanyLabel = ({ companyNamesById }: RunHints, { name, id }: Choice) =>
	name || (companyNamesById.get(id) ?? id);

/**
 * Builds the hints in n8n's format. Their messages are escaped, because n8n renders them as HTML. n8n shows hints even above an empty
 * output.
 * @param itemCount the number of input items
 */
export function buildHints(hints: RunHints, operation: Operation, itemCount: number): NodeExecutionHint[] {
	const messages = [...hints.subjectsByMessage].map(([message, subjects]) => formatMessage(hints, message, subjects));
	return [...messages, describeFailures(hints, operation, itemCount), explainEmptyOutput(hints, operation)]
		.filter((message) => message !== undefined)
		.map((message) => ({ message: escapeHtml(message), location: 'outputPane' }));
}

/**
 * Adds the subjects of a message to its end: the names of the first few, and the number of the others.
 */
function formatMessage(hints: RunHints, message: string, subjects: HintSubject[]): string {
	const companyCount = hints.companyIds.size;
	const uniqueSubjects = uniqBy(subjects, ({ detail, company }) => JSON.stringify([company?.id, detail]));
	const affectedCompanyCount = uniq(uniqueSubjects.flatMap(({ company }) => company?.id ?? [])).length;
	const shouldNameCompanies = affectedCompanyCount > 0 && companyCount > 1;
	// A single subject without a detail adds nothing to the message, unless the run has several companies.
	if (subjects.length <= 1 && subjects[0]?.detail === undefined && !shouldNameCompanies) return message;
	const labels = uniqueSubjects.flatMap((subject) => formatSubject(hints, subject) ?? []);
	const affectedNames =
		labels.length > 0 ? formatList(labels, ', ', MAX_NAMES_IN_HINT) : formatCount(subjects.length, 'item');
	const share = shouldNameCompanies ? `${affectedCompanyCount} of ${companyCount} customers: ` : '';
	return `${message} This applies to ${share}${affectedNames}.`;
}

function formatSubject(hints: RunHints, { detail, company }: HintSubject): string | undefined {
	const name = company && getCompanyLabel(hints, company);
	return name && detail ? `${name} (${detail})` : (name ?? detail);
}

/**
 * Describes how many items failed, which ones, and why, if the node continues on failure. If there is only one result, no hint is needed.
 */
function describeFailures(hints: RunHints, { purpose, fields }: Operation, itemCount: number): string | undefined {
	const { itemSummaries } = hints;
	const failures = sortBy(itemSummaries, 'itemIndex').filter(({ outputCount }) => outputCount === undefined);
	if (failures.length === 0 || itemSummaries.length === 1) return undefined;
	const errorContext = { purpose, getLabels: (path: string[]) => getFieldLabels(fields, path) };
	const failuresByReason = groupBy(failures, ({ error }) => getFailureReason(error, errorContext));
	const groups = Object.entries(failuresByReason).map(([reason, failuresInGroup]) => {
		const labels = uniq(failuresInGroup.flatMap((failure) => formatFailure(hints, failure, itemCount)));
		return labels.length > 0 ? `${formatList(labels, ', ', MAX_NAMES_IN_HINT)} (${reason})` : reason;
	});
	const groupTexts = formatList(groups, '; ', MAX_NAMES_IN_HINT);
	return `${failures.length} of ${itemSummaries.length} failed: ${groupTexts}. In the output, the field 'message' says more.`;
}

/** Names the input item and the company that failed: "item 2 of 3 at Bakery". @returns an empty list if neither has a name */
function formatFailure(hints: RunHints, { company, itemIndex }: ItemSummary, itemCount: number): string[] {
	const companyLabel = company ? getCompanyLabel(hints, company) : '';
	if (itemCount === 1) return companyLabel === '' ? [] : [companyLabel];
	const itemNumber = formatItemNumber(itemIndex, itemCount);
	return [companyLabel === '' ? itemNumber : `${itemNumber} at ${companyLabel}`];
}

/** Explains an empty output. The hint says what was searched for, where, and in how many records. */
function explainEmptyOutput(hints: RunHints, { purpose }: Operation): string | undefined {
	const { itemSummaries, searchReports } = hints;
	if (itemSummaries.some(({ outputCount = 0 }) => outputCount > 0)) return undefined;
	const emptySummaries = itemSummaries.filter(({ outputCount }) => outputCount === 0);
	const uniqueSearchSummaries = uniqBy(
		emptySummaries.flatMap(({ searchSummary }) => searchSummary ?? []),
		({ period, filters }) => period + filters,
	);
	const [firstSearchSummary] = uniqueSearchSummaries;
	if (!firstSearchSummary) return undefined;
	// If the items had different searches, the hint names no period and no filters.
	const { period, filters } = uniqueSearchSummaries.length > 1 ? { period: '', filters: '' } : firstSearchSummary;

	const companies = uniqBy(
		emptySummaries.flatMap(({ company }) => company ?? []),
		'id',
	);
	const place = describeSearchPlace(hints, companies);
	const [firstReport] = searchReports;
	const recordCount = sumBy(searchReports, (report) => report.recordCount);
	if (firstReport && recordCount > 0)
		return `The node read ${formatCount(recordCount, firstReport.noun)}${period}${place}, but ${firstReport.emptyReason}${filters}.`;

	const placeWithoutRecords = companies.length > 1 ? place.replace(' at ', ' at any of ') : place;
	if (firstReport) return `There is no ${firstReport.noun}${period}${placeWithoutRecords}.`;
	return `There are no ${purpose.replace(/^(get|search) (all )?/, '')}${period}${placeWithoutRecords}${filters}.`;
}

/** Describes where records were searched: " at Bakery", or " at 3 customers"; empty for the company that the credential belongs to. */
function describeSearchPlace(hints: RunHints, companies: readonly Choice[]): string {
	if (companies.length > 1) return ` at ${companies.length} customers`;
	const [company] = companies;
	return company ? ` at ${getCompanyLabel(hints, company)}` : '';
}
