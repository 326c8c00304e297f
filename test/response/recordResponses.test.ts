/** Tests which items the response to a request for one record or a short list becomes. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessReportedEmail } from '../../nodes/ReportedEmail/SecurityAwarenessReportedEmail.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { catchNodeError, createNodeFixture, getJson, startFakeServer, type NodeClass } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();

/** Runs an operation on a server that responds with this data. @returns the json of the items */
async function runWithData(node: NodeClass, route: string, data: unknown, parameters: IDataObject) {
	const { credentialStore } = await startFakeServer({ [route]: { data } });
	const { items } = await fixture.run(node, { companyScope: 'own', ...parameters }, { credentialStore });
	return getJson(items);
}

describe('a record without its ID has the ID that was requested', () => {
	test.each<[IDataObject, IDataObject]>([
		[{ name: 'A' }, { enrollmentId: 'e1-0001', name: 'A' }],
		[
			{ name: 'A', enrollmentId: null },
			{ enrollmentId: null, name: 'A' },
		],
		[
			{ name: 'A', resourceId: 'e2' },
			{ enrollmentId: 'e2', name: 'A', resourceId: 'e2' },
		],
		[
			{ name: 'A', id: 5 },
			{ enrollmentId: '5', name: 'A', id: 5 },
		],
	])('an enrollment: %j', async (record, expected) => {
		const parameters = { operation: 'get', enrollment: { mode: 'id', value: 'e1-0001' }, output: 'raw' };
		const route = 'GET /api/enrollments/e1-0001';
		expect(await runWithData(SecurityAwarenessEnrollment, route, record, parameters)).toEqual([expected]);
	});

	test('a reported email', async () => {
		const parameters = { operation: 'get', reportedEmail: { mode: 'id', value: 'r1-0001' }, output: 'raw' };
		const route = 'GET /api/notified-emails/r1-0001';
		expect(await runWithData(SecurityAwarenessReportedEmail, route, { subject: 'A' }, parameters)).toMatchObject([
			{ resourceId: 'r1-0001', subject: 'A' },
		]);
	});
});

describe('a list without pages', () => {
	const getRoles = (data: unknown) =>
		runWithData(SecurityAwarenessRole, 'GET /api/roles', data, { operation: 'getMany' });

	test.each<[string, unknown, IDataObject[]]>([
		['is a list', [{ name: 'A' }, { name: 'B' }], [{ name: 'A' }, { name: 'B' }]],
		['is a list of texts', ['A'], [{ value: 'A' }]],
		['is a list under results', { results: [{ name: 'A' }] }, [{ name: 'A' }]],
		[
			'is a page with counts',
			{ results: [{ name: 'A' }], totalNumberOfPages: 1, totalNumberOfRecords: 1 },
			[{ name: 'A' }],
		],
		['is a list under another key', { roles: [{ name: 'A' }] }, [{ name: 'A' }]],
		['is one record', { name: 'A', rank: 1 }, [{ name: 'A', rank: 1 }]],
		['is empty', [], []],
		['has no results', { results: [], totalNumberOfPages: 0 }, []],
	])('%s', async (_what, data, expected) => {
		expect(await getRoles(data)).toEqual(expected);
	});

	test.each([['a text'], [{}]])("is an error if it isn't a list: %j", async (data) => {
		expect((await catchNodeError(getRoles(data))).message).toContain("the response is not in the platform's format");
	});
});
