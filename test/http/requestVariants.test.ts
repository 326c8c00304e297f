/** Tests which error the user sees if the platform refuses a request, and also what the node sends instead. */
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { toIdLocator } from '../cases';
import { catchNodeError, createNodeFixture, startFakeServer, sendJson } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();
const COMPANY_ID = '1a1a1a1a-1a1a-1a1a-1a1a-1a1a1a1a1a1a';
const ENROLLMENT_ID = '0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f';
const USERS_PATH = `/api/training-reports/${ENROLLMENT_ID}/users/search`;

/**
 * Lists the users of an enrollment.
 * @param statuses the status of the response to each variant of the request
 * @returns the error, and the number of variants that were sent
 */
async function listUsers(statuses: number[]) {
	let variantCount = 0;
	const { credentialStore } = await startFakeServer(({ url }, response) => {
		if (url !== USERS_PATH) return sendJson(response, 404, { message: 'Not here.' });
		const status = statuses[variantCount] ?? 500;
		variantCount++;
		sendJson(response, status, { status: 'ERROR', message: `Refusal ${variantCount}.` });
	});
	const parameters = {
		resource: 'enrolledUser',
		operation: 'getMany',
		companyScope: 'own',
		enrollment: toIdLocator(ENROLLMENT_ID),
	};
	const error = await catchNodeError(fixture.run(SecurityAwarenessTrainingReport, parameters, { credentialStore }));
	return { error, variantCount };
}

test('if every variant is refused, the error is about the first one, because that is the request that the user made', async () => {
	const { error, variantCount } = await listUsers([400, 400, 400]);
	expect(variantCount).toBe(3);
	expect(error.message).toContain('(400)');
	expect(error.description).toContain('The platform says: Refusal 1.');
});

test('if a later variant fails for another reason, the error is about that one', async () => {
	const { error, variantCount } = await listUsers([400, 403]);
	expect(variantCount).toBe(2);
	expect(error.message).toContain('(403)');
	expect(error.description).toContain('The platform says: Refusal 2.');
});

test('if dates are refused as ISO dates and in the format of the customer, the error is about the first request', async () => {
	const sentDates: unknown[] = [];
	const { credentialStore } = await startFakeServer(({ url, body }, response) => {
		if (url === `/api/companies/${COMPANY_ID}`)
			return sendJson(response, 200, { data: { dateFormat: 'dd.MM.yyyy', timeFormat: '24h' } });
		sentDates.push(body.startDate);
		sendJson(response, 400, { status: 'ERROR', message: `Refusal of ${String(body.startDate)}.` });
	});
	const parameters = {
		resource: 'userActivity',
		operation: 'getMany',
		companyScope: 'one',
		company: toIdLocator(COMPANY_ID),
		period: 'custom',
		periodStart: '2026-01-01T00:00:00Z',
	};
	const run = fixture.run(SecurityAwarenessTrainingReport, parameters, {
		credentialStore,
		settings: { timezone: 'UTC' },
	});
	const error = await catchNodeError(run);
	expect(sentDates.at(-1)).toBe('01.01.2026 00:00');
	expect(error.description).toContain('The platform says: Refusal of 2026-01-01T00:00:00.000Z.');
});
