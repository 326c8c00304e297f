import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { withNumbers } from '../answer/numbers';
import { FITTING } from '../operation/output';
import { mapBounded } from '../transport/concurrency';
import { counted } from '../transport/counted';
import { toJson } from '../transport/envelope';
import { asError, rethrow } from '../transport/errors';
import type { Company } from '../transport/request';
import { waitFor } from '../transport/waiting';
import type { Memory, News } from './memory';
import { isCutShort, isRefused, type Run, type Stage } from './run';
import { companyIn, type Kind } from './trigger';

/** How often a record waits for its details, before it is given without. */
const MOST_TRIES = 3;

/** Adds values to fields of a record that are missing or empty. */
const stamped = (record: IDataObject, stamps: IDataObject): IDataObject => {
	const isMissing = ([name, value]: [string, unknown]) => (record[name] ?? '') === '' && (value ?? '') !== '';
	return { ...record, ...Object.fromEntries(Object.entries(stamps).filter(isMissing)) };
};

/**
 * Reads what the list does not show: the full record, or a job's figures.
 * @param isLast whether the record is given without them if they cannot be read now
 * @returns a field for the item: the details, or why they cannot be read; none if there are no details to read
 * @throws ServiceError if they may be readable at a later poll
 */
async function detailsOf(
	run: Run,
	kind: Kind,
	record: IDataObject,
	company: Company | undefined,
	isLast: boolean,
	stage: Stage,
): Promise<IDataObject> {
	const request = run.choices.options.includeDetails ? kind.details(record) : undefined;
	if (!request) return {};
	const purpose = `read the details of ${kind.things}`;
	const whole = { ...request, repeatable: true, purpose, signal: stage.signal, ...(company ? { company } : {}) };
	try {
		return { details: toJson((await waitFor(run.service.json(whole), [stage.signal])).data) };
	} catch (error) {
		if (!isRefused(error) && (!isLast || isCutShort(error))) return await rethrow(error);
		const detailsError = asError(error).message;
		run.warn(`The details of one of the ${kind.things} cannot be read, so it is given without: ${detailsError}`);
		return { detailsError };
	}
}

/** An item: a record as its list shows it, what it is and whose, and its details. */
async function itemOf(run: Run, kind: Kind, { found, former, company }: News, isLast: boolean, stage: Stage) {
	const { record } = found;
	const own = companyIn(record);
	const owner = company ?? (own.id === undefined ? undefined : { id: own.id, name: own.name ?? '' });
	const stamps = { kind: kind.name, companyResourceId: owner?.id, companyName: owner?.name || own.name };
	const change = run.choices.watchesStatus ? { previousStatus: former?.status ?? null } : {};
	const json = {
		...stamped(record, stamps),
		...change,
		...(await detailsOf(run, kind, record, owner, isLast, stage)),
	};
	return run.context.getNode().typeVersion < FITTING ? { json } : { json: withNumbers(kind.output?.(json) ?? json) };
}

/** Records as items, in order. Those whose details cannot be read now wait. @param memory remembers what waits; none for samples */
export async function itemsOf(
	run: Run,
	kind: Kind,
	news: News[],
	stage: Stage,
	memory?: Memory,
): Promise<Array<{ created: number; item: INodeExecutionData }>> {
	const width = run.service.settings.concurrency;
	let started = 0;
	const triesOf = ({ found }: News) => memory?.state.waiting.get(found.id)?.tries ?? 0;
	const outcomes = await mapBounded(
		news,
		width,
		async (each) => await itemOf(run, kind, each, triesOf(each) >= MOST_TRIES, stage),
		// Some in any case, or polls with little time would return nothing.
		() => started++ < width || !stage.isOver(),
	);
	let held = 0;
	const items = news.flatMap((each, index) => {
		const outcome = outcomes[index];
		if (outcome?.ok) {
			memory?.state.waiting.delete(each.found.id);
			return { created: each.found.created ?? 0, item: outcome.value };
		}
		held++;
		memory?.hold(each, triesOf(each) + Number(outcome !== undefined && !isCutShort(outcome.error)));
		return [];
	});
	if (held > 0)
		run.warn(
			`Of the ${kind.things}, ${counted(held, 'record')} must wait for the next poll, because details could not be read now.`,
		);
	return items;
}
