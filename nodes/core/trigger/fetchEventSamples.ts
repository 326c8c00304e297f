import { chunk, groupBy, orderBy, partition } from 'lodash';
import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';

import { settle } from '../http/mapConcurrently';
import { escapeHtml, formatCount } from '../values';
import type { EventPoll, EventToEmit } from './defineEventTrigger';
import { MAX_CATCH_UP_MS } from './eventState';
import { areDescendantsComplete, logReadGaps } from './pollEvents';
import type { WatchedCompany } from './defineTrigger';
import { readAfterParents, sortForReading } from './readCompanies';
import { DAY_MS } from './state';
import {
	createUnreadCompany,
	createUnreadError,
	describeUnreadCompanies,
	findUnreadCompanies,
	formatCompanyNames,
	type UnreadCompany,
} from './unreadCompanies';

/** The maximum number of items for 'Fetch Test Event'. */
const MAX_SAMPLES = 5;
/** The maximum number of events that are confirmed for 'Fetch Test Event'. The newest ones may all come from bots. */
const MAX_UNCERTAIN_SAMPLES = 50;

/** An event that can be shown, and its time in ms since 1970. The time is 0 if it can't be read. */
interface Sample extends EventToEmit {
	key: string;
	time: number;
	needsConfirmation: boolean;
}

/** The events of one company. */
interface SampleList {
	company: WatchedCompany;
	samples: Sample[];
	/** The keys of all events. The lists of the companies above the company may contain the same events. */
	keys: ReadonlySet<string>;
	isComplete: boolean;
}

/**
 * Fetches the newest events of all selected companies for 'Fetch Test Event', newest first, as a poll would emit them.
 * Events that bots may have caused are only shown if they are confirmed. Of these, only the newest are confirmed, so
 * older ones may be left out.
 * @throws NodeOperationError if there are no events; NoCompanyReadError if there are none and a company could not be read
 */
export async function fetchEventSamples(context: IPollFunctions, poll: EventPoll): Promise<EventToEmit[]> {
	const companies = sortForReading(await poll.getWatchedCompanies(), () => 0);
	const reads = await readAfterParents(poll, companies, async (company) => readSamples(poll, company));
	const lists = new Map<string, SampleList>();
	for (const read of reads) if (read?.ok) lists.set(read.value.company.id, read.value);
	const unreadCompanies = findUnreadCompanies(companies, reads);
	if (lists.size === 0 && companies.length > 0) throw createUnreadError(poll.scope, unreadCompanies, companies.length);
	logReadGaps(poll, companies, lists, unreadCompanies, false);

	const samples = [...lists.values()].flatMap((list) => pickOwnSamples(list, lists));
	const { newestSamples, unconfirmedCount, failedCompanies } = await pickConfirmedSamples(poll, samples);
	if (newestSamples.length > 0) return newestSamples;
	const companiesWithErrors = [...failedCompanies, ...unreadCompanies];
	if (unconfirmedCount === 0 && companiesWithErrors.length > 0)
		throw createUnreadError(poll.scope, companiesWithErrors, companies.length);
	const incompleteCompanies = [...lists.values()].filter(({ isComplete }) => !isComplete);
	throw createNoSamplesError(
		context,
		poll,
		unconfirmedCount,
		incompleteCompanies.map(({ company }) => company),
	);
}

/** Creates the error for the case that no company's request failed, but there are no events to show. */
function createNoSamplesError(
	context: IPollFunctions,
	{ noun }: EventPoll,
	unconfirmedCount: number,
	incompleteCompanies: WatchedCompany[],
): NodeOperationError {
	const publishAdvice = 'After you publish the workflow, it starts with the first new event.';
	const createError = (message: string, advice: string) =>
		new NodeOperationError(context.getNode(), escapeHtml(message), { description: `${advice} ${publishAdvice}` });
	if (unconfirmedCount > 0)
		return createError(
			`The newest ${formatCount(unconfirmedCount, 'event')} may come from bots, such as email scanners`,
			"To see them, turn on 'Include Unconfirmed'.",
		);
	if (incompleteCompanies.length > 0)
		return createError(
			`The platform only listed a part of the ${noun} of ${formatCompanyNames(incompleteCompanies)}`,
			"Click 'Fetch Test Event' again.",
		);
	return createError(
		`There are no ${noun} in the last ${MAX_CATCH_UP_MS / DAY_MS} days`,
		"The platform lists none for these settings. Check 'Watch Names or IDs' and 'Company Scope'.",
	);
}

/** Picks the newest events, newest first. */
const pickNewest = (samples: Sample[], maxCount = MAX_SAMPLES): Sample[] =>
	orderBy(samples, 'time', 'desc').slice(0, maxCount);

/** Picks the events of which some may be shown. */
function pickCandidates(samples: Sample[]): Sample[] {
	const [uncertainSamples, certainSamples] = partition(samples, ({ needsConfirmation }) => needsConfirmation);
	return [...pickNewest(uncertainSamples, MAX_UNCERTAIN_SAMPLES), ...pickNewest(certainSamples)];
}

/** Reads the events of a company. @throws RequestError */
async function readSamples({ source, startedAt }: EventPoll, company: WatchedCompany): Promise<SampleList> {
	const { events, isComplete } = await source.readEvents(company, startedAt - MAX_CATCH_UP_MS);
	const samples = events.map((event) => ({
		event,
		company,
		key: source.getKey(event),
		time: source.getTime(event) ?? 0,
		needsConfirmation: source.needsConfirmation(event),
	}));
	return {
		company,
		isComplete,
		keys: new Set(company.ancestorIds.length > 0 ? samples.map(({ key }) => key) : []),
		// The newest events in a parent's list may all belong to its children.
		samples: company.descendants.length > 0 ? samples : pickCandidates(samples),
	};
}

/**
 * Picks the events of a selected company that may be shown. An event that is also in the list of a company below belongs
 * to that company. If one of these lists is missing, no event of the company is shown.
 */
function pickOwnSamples({ company, samples }: SampleList, lists: ReadonlyMap<string, SampleList>): Sample[] {
	if (!company.isSelected || !areDescendantsComplete(company, lists)) return [];
	const isInListBelow = (key: string) => company.descendants.some(({ id }) => lists.get(id)?.keys.has(key) === true);
	return pickCandidates(samples.filter(({ key }) => !isInListBelow(key)));
}

/** The newest events that can be shown, and what is known about the others. */
interface ConfirmedSamples {
	newestSamples: Sample[];
	/** The number of events that bots may have caused. */
	unconfirmedCount: number;
	/** The companies whose events could not be confirmed because a request failed. */
	failedCompanies: UnreadCompany[];
}

/** Picks the newest events of all companies, without those that bots may have caused. Logs the failures of confirmations. */
async function pickConfirmedSamples(poll: EventPoll, samples: Sample[]): Promise<ConfirmedSamples> {
	const [uncertainSamples, certainSamples] = partition(samples, ({ needsConfirmation }) => needsConfirmation);
	const candidates = pickNewest(uncertainSamples, MAX_UNCERTAIN_SAMPLES);
	const failuresById = new Map<string, UnreadCompany>();
	let newestSamples = pickNewest(certainSamples);
	for (const nextCandidates of chunk(candidates, MAX_SAMPLES)) {
		const lastSample = newestSamples[MAX_SAMPLES - 1];
		if (lastSample && lastSample.time > (nextCandidates[0]?.time ?? 0)) break;
		const confirmedSamples = await confirmSamples(
			poll,
			nextCandidates.filter(({ company }) => !failuresById.has(company.id)),
			failuresById,
		);
		newestSamples = pickNewest([...newestSamples, ...confirmedSamples]);
	}
	const failedCompanies = [...failuresById.values()];
	if (failedCompanies.length > 0)
		poll.logWarning(
			`The trigger could not confirm the ${poll.noun} of ${formatCount(failedCompanies.length, 'company')}${describeUnreadCompanies(failedCompanies)}.`,
		);
	const unconfirmedCount = candidates.filter(({ company }) => !failuresById.has(company.id)).length;
	return { newestSamples, unconfirmedCount, failedCompanies };
}

/** Returns the confirmed events. @param failuresById gets the companies whose requests failed */
async function confirmSamples(
	{ source }: EventPoll,
	samples: Sample[],
	failuresById: Map<string, UnreadCompany>,
): Promise<Sample[]> {
	const confirmedSamples: Sample[] = [];
	for (const companySamples of Object.values(groupBy(samples, ({ company }) => company.id))) {
		const [firstSample] = companySamples;
		if (!firstSample) continue;
		const { company } = firstSample;
		const events = companySamples.map(({ event }) => event);
		const confirmation = await settle(source.confirmEvents(company, events));
		if (!confirmation.ok) {
			failuresById.set(company.id, createUnreadCompany(company, confirmation.error));
			continue;
		}
		for (const [index, sample] of companySamples.entries()) {
			const event = confirmation.value[index];
			if (event) confirmedSamples.push({ ...sample, event });
		}
	}
	return confirmedSamples;
}
