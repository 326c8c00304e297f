import { omit, uniqBy } from 'lodash';
import { NodeOperationError, type IDataObject, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { mapBounded } from '../transport/concurrency';
import { rethrow } from '../transport/errors';
import { askCompanies, type Given } from './companies';
import { tooSlow } from './open';
import type { Kind, Poll } from './trigger';

const MOST_SAMPLES = 5;

/** A record as an item: as its list shows it, what it is, whose, and what it was before. */
export function itemOf({ rules }: Poll, kind: Kind, { row, company, previousStatus }: Given): INodeExecutionData {
	const columns: IDataObject = {
		kind: kind.name,
		companyName: company.name || null,
		companyResourceId: company.id || null,
	};
	const record = kind.output?.(row.record) ?? row.record;
	return {
		json: {
			...columns,
			...omit(record, Object.keys(columns)),
			...(rules.watchesStatus ? { previousStatus } : {}),
		},
	};
}

/** In the order of their creation, the oldest first. */
export const oldestFirst = <T extends { row: Given['row'] }>(all: T[]): T[] =>
	[...all].sort((one, other) => (one.row.created ?? 0) - (other.row.created ?? 0));

/**
 * The newest records, as the poll would give them, for 'Fetch Test Event'. What is remembered is neither read nor changed.
 * @throws NodeOperationError where there are none; ServiceError where no list could be read
 */
export async function samplesOf(context: IPollFunctions, poll: Poll, kinds: Kind[]): Promise<INodeExecutionData[]> {
	const outcomes = await mapBounded(kinds, kinds.length, async (kind) =>
		(await newestOfKind(poll, kind)).map((given) => ({ ...given, kind })),
	);
	const found = outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
	const newest = oldestFirst(found).reverse().slice(0, MOST_SAMPLES);
	if (newest.length > 0) return newest.map((each) => itemOf(poll, each.kind, each));
	for (const outcome of outcomes) if (!outcome.ok) return await rethrow(outcome.error);
	throw new NodeOperationError(
		context.getNode(),
		`There are no ${kinds.map(({ things }) => things).join(' or ')} yet`,
		{
			description:
				"The service lists none for what you chose. Create one on the platform and fetch again, or check 'Company Scope' and 'Only Statuses'. Activated, the workflow starts with the first one.",
		},
	);
}

/** Each company is asked, because only so it is certain that none is left out, and whose a record is. */
async function newestOfKind(poll: Poll, kind: Kind): Promise<Given[]> {
	const { statuses } = poll.rules;
	// So many, of which some may have another status.
	const limit = statuses.length > 0 ? poll.pageSize : MOST_SAMPLES;
	const companies = await poll.companies();
	const { answered, failed } = await askCompanies(poll, kind, companies, { floorOf: () => () => 0, limit });
	if (answered.length === 0 && companies.length > 0) return await rethrow(failed[0]?.error ?? tooSlow());
	const all = answered.flatMap(({ company, rows }) =>
		rows
			.filter(({ status }) => statuses.length === 0 || statuses.includes(status.toLowerCase()))
			.map((row) => ({ row, company, previousStatus: null })),
	);
	return uniqBy(all, ({ row }) => row.id);
}
