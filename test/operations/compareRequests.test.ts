/** Tests the comparison of requests with the expected ones, which everyOperation.test.ts uses. */
import { compareRequests, describeExtraRequests } from '../cases/compareRequests';
import { startStandIn } from '../stand-in';

test('missing, repeated, unexpected and rejected requests are found', async () => {
	const standIn = await startStandIn({ companyCount: 40 });
	try {
		for (const path of ['roles', 'roles', 'nothing']) await fetch(`${standIn.url}/api/${path}`);
		const rolesRoute = 'GET /api/roles';
		const unknownRoute = 'unknown';
		expect(compareRequests(standIn.log, { requiredRequests: [rolesRoute, 'GET /api/scim/fields'] })).toEqual({
			missing: ['GET /api/scim/fields'],
			unexpected: [rolesRoute, unknownRoute],
			rejected: [rolesRoute, rolesRoute],
		});
		expect(
			compareRequests(standIn.log, { requiredRequests: [rolesRoute, unknownRoute], rejectedRequests: [rolesRoute] }),
		).toEqual({
			missing: [],
			unexpected: [],
			rejected: [rolesRoute],
		});
		expect(
			compareRequests(standIn.log, {
				requiredRequests: [rolesRoute, unknownRoute],
				optionalRequests: [rolesRoute],
				rejectedRequests: [rolesRoute, rolesRoute],
			}),
		).toEqual({
			missing: [],
			unexpected: [],
			rejected: [],
		});
		expect(describeExtraRequests(standIn.log)).toBe('GET /api/roles (401), /api/nothing (404)');
	} finally {
		await standIn.close();
	}
});
