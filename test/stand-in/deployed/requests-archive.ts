/** Valid requests for the trash and for what is sent again, for requests.ts. */
import type { Row } from '../http';
import { body, FILTER, type Deployed } from './testing';

type Add = (key: string, ids?: Record<string, string>, sent?: Row | Row[]) => unknown;

/** What is in the trash, and what is sent again. */
export async function addArchive(d: Deployed, add: Add): Promise<void> {
	const { customer, holdings } = d;
	const { resourceId: enrollmentId, trainingId, targetGroupResourceIds } = d.enrollment('Training');
	const path = '/api/enrollments';
	const trashed = async () => {
		const { id } = await customer.record(`POST ${path}`, { trainingId, name: 'Old', targetGroupResourceIds });
		await customer.data(`DELETE ${path}/${String(id)}`);
		return { resourceId: String(id) };
	};
	add(`POST ${path}/archive/search`, {}, body('CreateTime'));
	add(`DELETE ${path}/archive/{resourceId}`, await trashed());
	for (const stop of ['stop-reminder', 'stop-autoenroll'])
		add(`POST ${path}/{resourceId}/${stop}`, { resourceId: d.enrollment('Survey').resourceId });
	// The first ones are deleted before.
	const targetUserResourceId = holdings.members(targetGroupResourceIds).at(-1)?.resourceId;
	add(`POST ${path}/resend-certificate`, {}, [{ targetUserResourceId, enrollmentId }]);
	const report = 'POST /api/training-reports/{enrollmentId}';
	add(`${report}/resend`, { enrollmentId }, { resendTypes: [7] });
	const nobody = { filter: FILTER, selectAll: false, selectedItems: [], excludedItems: [] };
	add(`${report}/{tab}/resend`, { enrollmentId, tab: 'users' }, nobody);
}
