import type { ServiceRequest } from '../transport/request';
import type { Session } from './answer';
import { MOST_RECORDS, pageOf, remarkOn } from './paging';
import { askSearch, readSearch, type Rules } from './search';

/**
 * Counts the records of a search: with the service's own count if it agrees with the rest of its answer, else by reading
 * all records. A count that is too high does no harm, because it becomes the page size of an export; if records may be
 * missing, a hint says so.
 * @param request the search, without page number and page size in its body
 * @returns the number of records
 * @throws ServiceError
 */
export async function countOf(request: ServiceRequest, { service, hint }: Session, rules: Rules): Promise<number> {
	const onePage = { ...request, body: { ...request.body, pageNumber: 1, pageSize: 1 } };
	const { answer } = await askSearch(service, onePage, rules, async (asked) => await service.json(asked));
	const { total, pages, records } = pageOf(answer.data);
	// A service may return more records than the requested page size.
	const pageLength = Math.max(1, records.length);
	// A total that equals the records of one page is not trusted: some services count only the page.
	if (
		total !== undefined &&
		(total > pageLength || total === 0) &&
		records.length === Math.min(pageLength, total) &&
		(pages ?? total) === Math.ceil(total / pageLength)
	)
		return total;
	const list = await readSearch(service, request, { limit: Infinity }, { identity: [] }, rules);
	const remark = remarkOn(list);
	if (remark !== undefined) hint(`The file may be incomplete. ${remark}`);
	return Math.max(list.records.length, total !== undefined && total <= MOST_RECORDS ? total : 0);
}
