import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { settleConcurrently } from '../http/mapConcurrently';
import { toError } from '../http/errors';
import { findDeepestListings, findPossibleOwners, type RecordToEmit } from './decideOnRecords';
import { addCompanyName, createItem, sortByCreateTime } from './triggerItems';
import { NO_COMPANY, readCompanyList, readCompanyLists, sortForReading, type CompanyList } from './readCompanies';
import { createUnreadError, describeUnreadCompanies } from './unreadCompanies';
import type { Poll, WatchedList, WatchedRecord } from './defineTrigger';
import { formatCount } from '../values';

/** The maximum number of items for 'Fetch Test Event'. */
const MAX_SAMPLES = 5;

/** A record to show for 'Fetch Test Event', and the list that it comes from. */
interface Sample extends RecordToEmit {
	list: WatchedList;
}

/**
 * Fetches the newest records for 'Fetch Test Event', as a poll would emit them. If the global list can be used, it is
 * read first. After that, company lists are read until the owner of each record is known. The memory of the trigger is
 * neither used nor changed.
 * @throws NodeOperationError if there are no records; RequestError if no list could be read, or if there are no records and a company's
 * list could not be read
 */
export async function fetchSamples(
	context: IPollFunctions,
	poll: Poll,
	watchedLists: WatchedList[],
): Promise<INodeExecutionData[]> {
	const globalListSamples = poll.canUseGlobalList ? await readNewestGlobalListSamples(poll, watchedLists) : [];
	const listsWithSamples = watchedLists.filter((list) => globalListSamples.some((sample) => sample.list === list));
	const listsToRead = listsWithSamples.length > 0 ? listsWithSamples : watchedLists;
	const results = await collectSamples(poll, listsToRead, (list) => {
		const globalListRecords = globalListSamples.filter((sample) => sample.list === list).map(({ record }) => record);
		return readSampleLists(poll, list, globalListRecords);
	});
	const samples = results.flatMap((result) => result.samples);
	const samplesWithCompany = samples.filter(({ company }) => company.id !== '');
	const newestSamples = pickNewestRecords(samplesWithCompany.length > 0 ? samplesWithCompany : samples);
	if (newestSamples.length > 0)
		return await addCompanyName(
			poll,
			newestSamples.map((sample) => createItem(poll, sample.list, sample)),
		);
	const failure = results.find(({ error }) => error !== undefined);
	if (failure) throw toError(failure.error);
	const unreadError = results.find((result) => result.unreadError)?.unreadError;
	if (unreadError) throw unreadError;
	const message = `There are no ${watchedLists.map(({ noun }) => noun).join(' or ')} yet`;
	const description =
		"The platform lists none for these settings. Create one on the platform and fetch again, or check 'Company Scope' and 'Status Names or IDs'. After you publish the workflow, it starts with the first new record.";
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Reads the global list of each watched list. Returns the newest records of all of them. */
async function readNewestGlobalListSamples(poll: Poll, watchedLists: WatchedList[]): Promise<Sample[]> {
	const results = await collectSamples(poll, watchedLists, async (list) => ({
		companyLists: [await readCompanyList(poll, list, NO_COMPANY, getSampleLimits(poll))],
	}));
	return pickNewestRecords(results.flatMap(({ samples }) => samples));
}

/** The lists that were read for the samples of one watched list. */
interface SampleLists {
	companyLists: CompanyList[];
	/** The error that names the companies whose lists could not be read. */
	unreadError?: Error | undefined;
}

/**
 * Reads company lists until the owner of each record of the global list is known. If the global list has no records,
 * reads the lists of all companies. Logs which lists could not be read.
 * @param globalListRecords the newest records of the global list
 * @returns the global list and, after it, the company lists
 * @throws RequestError if the global list has no records and no company list could be read
 */
async function readSampleLists(
	poll: Poll,
	list: WatchedList,
	globalListRecords: WatchedRecord[],
): Promise<SampleLists> {
	const wantedRecordIds = globalListRecords.length > 0 ? new Set(globalListRecords.map(({ id }) => id)) : undefined;
	const companies = sortForReading(await poll.getWatchedCompanies(), () => 0);
	const { lists, unreadCompanies } = await readCompanyLists(
		poll,
		list,
		companies,
		getSampleLimits(poll),
		wantedRecordIds,
	);
	const unreadError =
		unreadCompanies.length > 0
			? createUnreadError(poll.scope, unreadCompanies, companies.length, poll.rules)
			: undefined;
	if (lists.length === 0 && globalListRecords.length === 0 && unreadError) throw unreadError;
	if (unreadCompanies.length > 0)
		poll.logWarning(
			`The trigger could not read the ${list.noun} of ${unreadCompanies.length} of ${formatCount(companies.length, 'company')}${describeUnreadCompanies(unreadCompanies)}.`,
		);
	const globalList = {
		company: NO_COMPANY,
		records: globalListRecords,
		missingIdCount: 0,
		isStable: true,
		pageCount: 1,
	};
	return { companyLists: [globalList, ...lists], unreadError };
}

/** Picks the newest records, newest first. */
const pickNewestRecords = <T extends { record: WatchedRecord }>(entries: T[]): T[] =>
	sortByCreateTime(entries).reverse().slice(0, MAX_SAMPLES);

/**
 * Returns how much of each list is read: the newest records. If the user selected statuses, it is a whole page, because
 * the newest records may have other statuses.
 */
const getSampleLimits = ({ rules, pageSize }: Poll) => ({
	getCutoff: () => 0,
	limit: rules.watchedStatuses.length > 0 ? pageSize : MAX_SAMPLES,
});

/** The samples of one watched list. If the list could not be read, `samples` is empty, and `error` is set. */
interface SampleResult {
	samples: Sample[];
	error?: unknown;
	/** The error that names the companies whose lists could not be read. Other companies' lists were read. */
	unreadError?: Error | undefined;
}

/**
 * Reads each watched list and finds the owner of each record.
 * @param readLists reads the company lists of a watched list, its global list, or both
 * @returns the samples or the error of each watched list; the function never throws
 */
async function collectSamples(
	poll: Poll,
	watchedLists: WatchedList[],
	readLists: (list: WatchedList) => Promise<SampleLists>,
): Promise<SampleResult[]> {
	const { watchedStatuses } = poll.rules;
	const results = await settleConcurrently(watchedLists, watchedLists.length, async (list) => {
		const { companyLists, unreadError } = await readLists(list);
		const idsOfReadCompanies = new Set(companyLists.map(({ company }) => company.id));
		const samples: Sample[] = [];
		for (const { record, company: listingCompany } of findDeepestListings(companyLists).values()) {
			const possibleOwners = findPossibleOwners(listingCompany, undefined, idsOfReadCompanies);
			const hasWatchedStatus = watchedStatuses.length === 0 || watchedStatuses.includes(record.status.toLowerCase());
			if (!hasWatchedStatus || !possibleOwners.every(({ isSelected }) => isSelected)) continue;
			samples.push({
				record,
				company: possibleOwners.length === 1 ? listingCompany : NO_COMPANY,
				list,
				previousStatus: null,
			});
		}
		return { samples, unreadError };
	});
	return results.map((result) => (result.ok ? result.value : { samples: [], error: result.error }));
}
