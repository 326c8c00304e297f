import type { ServiceRequest } from '../transport/request';
import type { Session } from './answer';
import { MOST_RECORDS, pageOf, remarkOn } from './paging';
import { askSearch, readSearch, type Rules } from './search';

/**
 * Counts what a search finds: by the service's own count where that fits the rest of its answer, else by reading it all.
 * Too high a count does no harm where it is the size of the one page that an export is asked for; what may be missing is
 * told in a hint.
 * @param request the search, its body without a page
 * @throws ServiceError
 */
export async function countOf(request: ServiceRequest, { service, hint }: Session, rules: Rules): Promise<number> {
	const onePage = { ...request, body: { ...request.body, pageNumber: 1, pageSize: 1 } };
	const { answer } = await askSearch(service, onePage, rules, async (way) => await service.json(way));
	const { total, pages, records } = pageOf(answer.data);
	// A service may give more to a page than it was asked for.
	const pageLength = Math.max(1, records.length);
	// A total of one page's records is counted anew: it may be all that is on the page.
	if (
		total !== undefined &&
		(total > pageLength || total === 0) &&
		records.length === Math.min(pageLength, total) &&
		(pages ?? total) === Math.ceil(total / pageLength)
	)
		return total;
	const list = await readSearch(service, request, { limit: Infinity }, { identity: [] }, rules);
	const remark = remarkOn(list);
	if (remark !== undefined) hint(`The file may be cut short. ${remark}`);
	return Math.max(list.records.length, total !== undefined && total <= MOST_RECORDS ? total : 0);
}
