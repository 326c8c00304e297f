/** Tests which error the user sees if the platform refuses several variants of a request. */
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { toIdLocator } from '../cases';
import { catchNodeError, createNodeFixture, startFakeServer, sendJson } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();
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
