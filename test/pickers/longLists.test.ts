/** Lists that are longer than a page, opened in the editor: of a service that does not count them, or sorts them otherwise. */
import { z } from 'zod';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { answering, sendJson } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';
import { search, useDeployments } from './fallbacks';

useDeployments();

const asked = z.object({ orderBy: z.string(), pageNumber: z.number(), pageSize: z.number() });

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

test('a first page that is short is all there is, where nothing says otherwise: one request', async () => {
	const results = [{ enrollmentId: 'e', name: 'Enrollment' }];
	const { store, asked: requests } = await deployment({ 'POST /api/enrollments/search': { data: { results } } });
	const { paginationToken } = await search(SecurityAwarenessEnrollment, 'searchEnrollments', store);
	expect([requests.length, paginationToken]).toEqual([1, undefined]);
});

test('a first page that is short although there are more pages, where records are not counted: all of it is read', async () => {
	const rows = Array.from({ length: 90 }, (_, index) => ({ enrollmentId: `e${index}`, name: `Enrollment ${index}` }));
	const { store } = await deployment({
		'POST /api/enrollments/search': ({ body }) => {
			const size = Math.min(40, Number(body.pageSize));
			const end = Number(body.pageNumber) * size;
			return { results: rows.slice(end - size, end), totalNumberOfPages: Math.ceil(rows.length / size) };
		},
	});
	const { results, paginationToken } = await search(SecurityAwarenessEnrollment, 'searchEnrollments', store);
	expect([results.length, paginationToken]).toEqual([90, undefined]);
});

test('a page of a list that the service does not sort as asked stays in its order: only a whole list is sorted here', async () => {
	const rows = Array.from({ length: 150 }, (_, index) => ({
		...{ resourceId: `j${index}`, instanceGroup: 1, name: `Job ${index}` },
		createdDate: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
	}));
	const { store } = await answering((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { orderBy, pageNumber, pageSize } = asked.parse(JSON.parse(text));
			if (orderBy === 'CreateTime')
				return sendJson(response, 400, { status: 'INPUT_ERROR', message: 'Invalid request' });
			const results = rows.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
			const counts = { totalNumberOfPages: 2, totalNumberOfRecords: rows.length };
			return sendJson(response, 200, { data: { results, ...counts }, status: 'SUCCESS' });
		});
	});
	const { results } = await search(SecurityAwarenessPhishingCampaign, 'searchPhishingJobs', store);
	expect(results.map(({ value }) => value)).toEqual(rows.slice(0, 100).map(({ resourceId }) => `${resourceId}/1`));
});
