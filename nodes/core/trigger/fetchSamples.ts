import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { settleConcurrently } from '../http/mapConcurrently';
import { toError } from '../http/errors';
import { findDeepestListings, findPossibleOwners, type NewRecord } from './decideOnRecords';
import { addCompanyName, createItem, sortByCreateTime } from './triggerItems';
import { createPollTimeoutError } from './pollList';
import { NO_COMPANY, readCompanyList, readCompanyLists, sortForReading, type CompanyList } from './readCompanies';
import type { Poll, WatchedList, WatchedRecord } from './defineTrigger';

/** The maximum number of items for 'Fetch Test Event'. */
const MAX_SAMPLES = 5;

/** A record to show for 'Fetch Test Event', and the list that it comes from. */
interface Sample extends NewRecord {
	list: WatchedList;
}

/**
 * Fetches the newest records for 'Fetch Test Event', as a poll would emit them. The global list is read first. After
 * that, the lists of companies are read until the owner of each record is known. The memory of the trigger is neither
 * used nor changed.
 * @throws NodeOperationError if there are no records; RequestError if no list could be read
 */
export async function fetchSamples(
	context: IPollFunctions,
	poll: Poll,
	watchedLists: WatchedList[],
): Promise<INodeExecutionData[]> {
	const globalSamples = poll.mayUseGlobalList ? await readNewestGlobalSamples(poll, watchedLists) : [];
	const listsWithSamples = watchedLists.filter((list) => globalSamples.some((sample) => sample.list === list));
	const listsToRead = listsWithSamples.length > 0 ? listsWithSamples : watchedLists;
	const results = await collectSamples(poll, listsToRead, (list) => {
		const globalRecords = globalSamples.filter((sample) => sample.list === list).map(({ record }) => record);
		return readSampleLists(poll, list, globalRecords);
	});
	const samples = results.flatMap((result) => result.samples);
	const samplesWithCompany = samples.filter(({ company }) => company.id !== '');
	const newestSamples = pickNewest(samplesWithCompany.length > 0 ? samplesWithCompany : samples);
	if (newestSamples.length > 0)
		return await addCompanyName(
			poll,
			newestSamples.map((sample) => createItem(poll, sample.list, sample)),
		);
	const failure = results.find(({ error }) => error !== undefined);
	if (failure) throw toError(failure.error);
	const message = `There are no ${watchedLists.map(({ noun }) => noun).join(' or ')} yet`;
	const description =
		"The service lists none for what you chose. Create one on the platform and fetch again, or check 'Company Scope' and 'Only Statuses'. Activated, the workflow starts with the first one.";
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Reads the newest records from the global list of each watched list. */
async function readNewestGlobalSamples(poll: Poll, watchedLists: WatchedList[]): Promise<Sample[]> {
	const results = await collectSamples(poll, watchedLists, async (list) => [
		await readCompanyList(poll, list, NO_COMPANY, getSampleRange(poll)),
	]);
	return pickNewest(results.flatMap(({ samples }) => samples));
}

/**
 * Reads the lists of companies until the owner of each global record is known. If there are no global records, reads
 * all lists.
 * @param globalRecords the newest records of the global list
 * @returns these lists, and the global records as another list
 * @throws RequestError if there is neither a global record nor a list that could be read
 */
async function readSampleLists(poll: Poll, list: WatchedList, globalRecords: WatchedRecord[]): Promise<CompanyList[]> {
	const wantedIds = globalRecords.length > 0 ? new Set(globalRecords.map(({ id }) => id)) : undefined;
	const companies = sortForReading(await poll.listCompanies(), () => 0);
	const { lists, unreadCompanies } = await readCompanyLists(poll, list, companies, getSampleRange(poll), wantedIds);
	if (lists.length === 0 && globalRecords.length === 0 && companies.length > 0)
		throw toError(unreadCompanies[0]?.error ?? createPollTimeoutError(poll.rules));
	const globalList = { company: NO_COMPANY, records: globalRecords, missingIdCount: 0, isStable: true, pageCount: 1 };
	return [globalList, ...lists];
}

/** Picks the newest records, newest first. */
const pickNewest = <T extends { record: WatchedRecord }>(entries: T[]): T[] =>
	sortByCreateTime(entries).reverse().slice(0, MAX_SAMPLES);

/**
 * Returns the part of each list that is read. It is the newest records, or a whole page if only some statuses count,
 * because the newest records may have other statuses.
 */
const getSampleRange = ({ rules, pageSize }: Poll) => ({
	getCutoff: () => 0,
	limit: rules.statuses.length > 0 ? pageSize : MAX_SAMPLES,
});

/** The samples of one watched list. If reading it failed, there are none, and `error` is set. */
interface SampleResult {
	samples: Sample[];
	error?: unknown;
}

/**
 * Reads each watched list and finds the owner of each record.
 * @param readLists reads a watched list: its company lists, its global list or both
 * @returns the samples or the error of each watched list; never throws
 */
async function collectSamples(
	poll: Poll,
	watchedLists: WatchedList[],
	readLists: (list: WatchedList) => Promise<CompanyList[]>,
): Promise<SampleResult[]> {
	const { statuses } = poll.rules;
	const results = await settleConcurrently(watchedLists, watchedLists.length, async (list) => {
		const companyLists = await readLists(list);
		const readIds = new Set(companyLists.map(({ company }) => company.id));
		const samples: Sample[] = [];
		for (const { record, company: listingCompany } of findDeepestListings(companyLists).values()) {
			const owners = findPossibleOwners(listingCompany, undefined, readIds);
			const hasWatchedStatus = statuses.length === 0 || statuses.includes(record.status.toLowerCase());
			if (!hasWatchedStatus || !owners.every(({ isSelected }) => isSelected)) continue;
			samples.push({ record, company: owners.length === 1 ? listingCompany : NO_COMPANY, list, previousStatus: null });
		}
		return samples;
	});
	return results.map((result) => (result.ok ? { samples: result.value } : { samples: [], error: result.error }));
}
