import type { IDataObject } from 'n8n-workflow';

import { createdOf } from '../answer/page';
import { identityOf, readPages } from '../answer/paging';
import { askPages, defaultOrder } from '../answer/search';
import type { Company } from '../transport/request';
import type { Kind, Poll, Row, RowsRead } from './trigger';

/**
 * Reads a list, the newest records first, as far back as its floor; one that is not sorted by create time is read whole.
 * @param company undefined, or without an ID, for the list that a request without a company gives
 * @param floor what was created before is of no interest, in ms, by the newest create time read so far that is not in the future
 * @param limit how many of the newest
 * @throws ServiceError
 */
export async function readRows(
	{ service, pageSize, signal, now }: Poll,
	kind: Kind,
	company: Company | undefined,
	floor: (newest: number) => number,
	limit = Infinity,
): Promise<RowsRead> {
	const isByTime = defaultOrder(kind.contract).orderBy === 'CreateTime';
	const request = {
		...{ contract: kind.contract, repeatable: true, purpose: `look for ${kind.things}`, signal },
		...(company?.id ? { company } : {}),
		...(kind.body ? { body: kind.body } : {}),
	};
	let newest = 0;
	const isPast = (record: IDataObject) => {
		const created = createdOf(record);
		if (created === undefined || !isByTime) return false;
		newest = Math.max(newest, Math.min(created, now));
		return created < floor(newest);
	};
	const { records, unchanged } = await readPages(askPages(service, request), {
		limit: isByTime ? limit : Infinity,
		pageSize,
		// Behind the floor no page is asked for.
		ahead: isByTime ? 1 : service.settings.concurrency,
		identity: kind.identity,
		isPast,
	});
	const rows = records.flatMap((record): Row[] => {
		const id = kind.identity(record);
		const status = identityOf(record, ['status']) ?? '';
		return id === undefined ? [] : [{ id, created: createdOf(record), status, record }];
	});
	return { rows, unchanged };
}
