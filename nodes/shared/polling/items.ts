import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { withNumbers } from '../answer/numbers';
import { FITTING } from '../operation/output';
import { mapBounded } from '../transport/concurrency';
import { counted } from '../transport/counted';
import { toJson } from '../transport/envelope';
import { asError, rethrow } from '../transport/errors';
import { waitFor } from '../transport/waiting';
import { FAILURE, type Memory, type News } from './memory';
import { isCutShort, isRefused, tooSlow, type Run, type Stage } from './run';
import { companyIn, namedBy, type Kind } from './trigger';

/** For how long the details of one record are waited for at most in one poll, if 'Timeout' does not say so: other new records wait too. */
const DETAILS_MS = 20_000;

/** Adds values to fields of a record that are missing or empty. */
const stamped = (record: IDataObject, stamps: IDataObject): IDataObject => {
	const isMissing = ([name, value]: [string, unknown]) => (record[name] ?? '') === '' && (value ?? '') !== '';
	return { ...record, ...Object.fromEntries(Object.entries(stamps).filter(isMissing)) };
};

/** An item: a record as its list shows it, what it is, and whose. @param more its details */
function itemOf(
	{ choices, context }: Run,
	kind: Kind,
	{ found, former, company }: News,
	more: IDataObject,
): INodeExecutionData {
	const { record } = found;
	const own = companyIn(record);
	const stamps = { kind: kind.name, companyResourceId: company?.id ?? own.id, companyName: company?.name || own.name };
	const change = choices.watchesStatus ? { previousStatus: former?.status ?? null } : {};
	const json = { ...stamped(record, stamps), ...change, ...more };
	return context.getNode().typeVersion < FITTING ? { json } : { json: withNumbers(kind.output?.(json) ?? json) };
}

/**
 * Reads what the list does not show: the full record, or a job's figures.
 * @returns a field for the item; none if there are no details to read
 * @throws ServiceError
 */
async function detailsOf(run: Run, kind: Kind, { found, company }: News, stage: Stage): Promise<IDataObject> {
	const owner = company ?? namedBy(found.record);
	const request = run.choices.options.includeDetails ? kind.details(found.record) : undefined;
	if (!request) return {};
	const purpose = `read the details of ${kind.things}`;
	const seconds = run.choices.options.timeout;
	const own = AbortSignal.timeout(seconds === undefined ? DETAILS_MS : seconds * 1000);
	const signal = AbortSignal.any([stage.signal, own]);
	const whole = { ...request, repeatable: true, purpose, signal, ...(owner ? { company: owner } : {}) };
	const read = waitFor(run.service.json(whole), [signal]).catch((error: unknown) =>
		rethrow(own.aborted && !stage.signal.aborted ? tooSlow() : error),
	);
	return { details: toJson((await read).data) };
}

/**
 * Records as items, in order. One whose details cannot be read now waits for some polls; then it comes without, as it does
 * at once where the service refuses them.
 * @param memory remembers what waits; none for samples
 */
export async function itemsOf(
	run: Run,
	kind: Kind,
	news: News[],
	stage: Stage,
	memory?: Memory,
): Promise<Array<{ created: number; item: INodeExecutionData }>> {
	const width = run.service.settings.concurrency;
	const takesTime = run.choices.options.includeDetails && news.some(({ found }) => kind.details(found.record));
	let started = 0;
	const outcomes = await mapBounded(
		news,
		width,
		async (each) => await detailsOf(run, kind, each, stage),
		// Some in any case, or polls with little time would return nothing.
		() => !takesTime || started++ < width || !stage.isOver(),
	);
	const isStuck = !outcomes.some((outcome) => outcome?.ok);
	let held = 0;
	const items = news.flatMap((each, index) => {
		const { id, created = 0 } = each.found;
		const outcome = outcomes[index];
		const isInTime = outcome?.ok === false && !isCutShort(outcome.error);
		const error = isInTime ? outcome.error : tooSlow();
		if (!outcome?.ok && !isRefused(error) && !memory?.hasWaited(id, 'tries')) {
			held++;
			// Where others are read, one that there was no time for gets its turn.
			memory?.hold(each, 'tries', isInTime ? FAILURE : outcome === undefined && !isStuck ? 0 : 1);
			return [];
		}
		memory?.state.waiting.delete(id);
		if (outcome?.ok) return { created, item: itemOf(run, kind, each, outcome.value) };
		const detailsError = asError(error).message;
		run.warn(`The details of one of the ${kind.things} cannot be read, so it is given without: ${detailsError}`);
		return { created, item: itemOf(run, kind, each, { detailsError }) };
	});
	if (held > 0)
		run.warn(
			`Of the ${kind.things}, ${counted(held, 'record')} must wait for the next poll, because details could not be read now.`,
		);
	return items;
}
