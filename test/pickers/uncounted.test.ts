/** Lists of a service that does not count what it has, opened in the editor. */
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { deployment } from '../stand-in/deployment';
import { search, useDeployments } from './fallbacks';

useDeployments();

test('a first page that is full is not taken for the last one', async () => {
	const rows = Array.from({ length: 150 }, (_, index) => ({ enrollmentId: `e${index}`, name: `Enrollment ${index}` }));
	const { store } = await deployment({
		'POST /api/enrollments/search': ({ body }) => {
			const end = Number(body.pageNumber) * Number(body.pageSize);
			return { results: rows.slice(end - Number(body.pageSize), end) };
		},
	});
	const first = await search(SecurityAwarenessEnrollment, 'searchEnrollments', store);
	expect(first.results).toHaveLength(100);
	const paginationToken = String(first.paginationToken);
	const second = await search(SecurityAwarenessEnrollment, 'searchEnrollments', store, { paginationToken });
	expect(second.results.at(-1)?.value).toBe('e149');
	expect(second.paginationToken).toBeUndefined();
});
