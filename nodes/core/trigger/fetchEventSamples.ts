import { chunk, groupBy, orderBy, partition, sortBy, uniqBy } from 'lodash';

import { settleConcurrently } from '../http/mapConcurrently';
import { RequestError, toError } from '../http/errors';
import { formatCount } from '../values';
import type { EventPoll, EventToEmit } from './defineEventTrigger';
import { MAX_CATCH_UP_MS } from './eventState';
import { chooseError } from './pollEvents';
import type { WatchedCompany } from './defineTrigger';

/** The maximum number of items for 'Fetch Test Event'. */
const MAX_SAMPLES = 5;
/** The maximum number of events that are confirmed for 'Fetch Test Event'. The newest ones may all come from bots. */
const MAX_UNCERTAIN_SAMPLES = 50;

/** An event that can be shown, and its time in ms since 1970. The time is 0 if it can't be read. */
interface Sample extends EventToEmit {
	time: number;
	needsConfirmation: boolean;
}

/**
 * Fetches the newest events of all selected companies for 'Fetch Test Event', newest first. Events that bots may have
 * caused are only shown if they are confirmed. Of these, only the newest are confirmed, so older ones may be left out.
 * @throws RequestError if there are no events, or if no company could be read. It is a 404 only if every company answered 404.
 */
export async function fetchEventSamples(poll: EventPoll): Promise<EventToEmit[]> {
	const { source, client } = poll;
	// The list of a parent may contain the events of its children. So children come first, and their copy is kept.
	const companies = sortBy(await poll.getWatchedCompanies(), ({ descendants }) => descendants.length);
	const selectedCompanies = companies.filter(({ isSelected }) => isSelected);
	const results = await settleConcurrently(selectedCompanies, client.settings.concurrency, async (company) =>
		readSamples(poll, company),
	);
	const errors = results.flatMap((result) => (result.ok ? [] : [result.error]));
	if (errors.length > 0 && errors.length === results.length) throw toError(chooseError(errors));

	const samples = uniqBy(
		results.flatMap((result) => (result.ok ? result.value : [])),
		({ event }) => source.getKey(event),
	);
	const [uncertainSamples, certainSamples] = partition(samples, ({ needsConfirmation }) => needsConfirmation);
	let newestSamples = pickNewest(certainSamples);
	const candidates = pickNewest(uncertainSamples, MAX_UNCERTAIN_SAMPLES);
	for (const nextCandidates of chunk(candidates, MAX_SAMPLES)) {
		const lastSample = newestSamples[MAX_SAMPLES - 1];
		if (lastSample && lastSample.time > (nextCandidates[0]?.time ?? 0)) break;
		newestSamples = pickNewest([...newestSamples, ...(await confirmSamples(poll, nextCandidates))]);
	}
	if (newestSamples.length > 0) return newestSamples;
	throw createNoSamplesError(poll, candidates.length);
}

function createNoSamplesError({ noun }: EventPoll, unconfirmedCount: number): RequestError {
	const publishAdvice = 'After you publish the workflow, it starts with the first new event.';
	if (unconfirmedCount > 0)
		return new RequestError({
			reason: `the newest ${formatCount(unconfirmedCount, 'event')} may come from bots, such as email scanners`,
			advice: `To see them, turn on 'Include Unconfirmed'. ${publishAdvice}`,
		});
	return new RequestError({
		reason: `there are no ${noun} of the last 14 days for these settings`,
		advice: `Check 'Watch Names or IDs' and 'Company Scope'. ${publishAdvice}`,
	});
}

/** Picks the newest events, newest first. */
const pickNewest = (samples: Sample[], maxCount = MAX_SAMPLES): Sample[] =>
	orderBy(samples, 'time', 'desc').slice(0, maxCount);

/** Reads the newest events of a company. @throws RequestError */
async function readSamples({ source, startedAt }: EventPoll, company: WatchedCompany): Promise<Sample[]> {
	const { events } = await source.readEvents(company, startedAt - MAX_CATCH_UP_MS);
	const samples = events.map((event) => ({
		event,
		company,
		time: source.getTime(event) ?? 0,
		needsConfirmation: source.needsConfirmation(event),
	}));
	const [uncertainSamples, certainSamples] = partition(samples, ({ needsConfirmation }) => needsConfirmation);
	return [...pickNewest(uncertainSamples, MAX_UNCERTAIN_SAMPLES), ...pickNewest(certainSamples)];
}

/** Returns the confirmed events. @throws RequestError */
async function confirmSamples({ source }: EventPoll, samples: Sample[]): Promise<Sample[]> {
	const confirmedSamples: Sample[] = [];
	for (const companySamples of Object.values(groupBy(samples, ({ company }) => company.id))) {
		const [firstSample] = companySamples;
		if (!firstSample) continue;
		const events = companySamples.map(({ event }) => event);
		const confirmedEvents = await source.confirmEvents(firstSample.company, events);
		for (const [index, sample] of companySamples.entries()) {
			const event = confirmedEvents[index];
			if (event) confirmedSamples.push({ ...sample, event });
		}
	}
	return confirmedSamples;
}
