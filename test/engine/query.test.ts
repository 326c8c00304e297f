/** What can be added to the address of a GET, and reports of surveys, which live deployments ask a type for. */
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { nodeFixture, failureOf, the } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 40 });
const SUMMARY = 'GET /api/training-reports/{enrollmentId}/summary';

const scoped = () => ({
	companyScope: 'one',
	company: { mode: 'id', value: the(b.service.state.companies[3]).companyResourceId },
});
const enrollment = () => {
	const { resourceId } = the(b.service.state.of(the(b.service.state.companies[3]).companyResourceId).enrollments[0]);
	return { enrollment: { mode: 'id', value: resourceId } };
};

test('query parameters that nobody documented reach the service, and win over our own', async () => {
	await b.run(SecurityAwarenessRole, {
		operation: 'getMany',
		...scoped(),
		additionalFields: { queryParameters: '{"kind": "all", "deep": true, "n": 3}' },
	});
	expect(b.asked.map(({ query }) => query)).toEqual([{ kind: 'all', deep: 'true', n: '3' }]);
	b.service.clearLog();
	const additionalFields = { queryParameters: '{"trainingType": 7}' };
	await b.run(SecurityAwarenessTrainingReport, {
		operation: 'getSummary',
		...scoped(),
		...enrollment(),
		reportOptions: { trainingType: 3 },
		additionalFields,
	});
	expect(b.asked.map(({ query }) => query)).toEqual([{ trainingType: '7' }]);
});

test.each([
	['[1]', 'must be a JSON object'],
	['{"a": {"b": 1}}', "must have a text, a number, true or false under 'a'"],
	['{"a": null}', "must have a text, a number, true or false under 'a'"],
	['{', 'must be JSON'],
])('%s is refused before anything is asked', async (queryParameters, complaint) => {
	const error = await failureOf(
		b.run(SecurityAwarenessRole, { operation: 'getMany', ...scoped(), additionalFields: { queryParameters } }),
	);
	expect(error.message).toContain(complaint);
	expect(error.message).toContain("'Query Parameters (JSON)' in 'Additional Fields'");
	expect(b.service.log).toEqual([]);
});

test('a report that is refused without a type is asked for as that of a survey, once', async () => {
	b.service.fault({ route: SUMMARY, kind: 'error-envelope', times: 1 });
	const refused = await failureOf(
		b.run(SecurityAwarenessTrainingReport, {
			operation: 'getSummary',
			...scoped(),
			...enrollment(),
			reportOptions: { trainingType: 1 },
		}),
	);
	expect(refused.message).toContain('the service');
	expect(b.asked.map(({ query }) => query)).toEqual([{ trainingType: '1' }]);
	b.service.clearLog();
	const unknown = { enrollment: { mode: 'id', value: 'no-such-enrollment' } };
	const error = await failureOf(
		b.run(SecurityAwarenessTrainingReport, { operation: 'getSummary', ...scoped(), ...unknown }),
	);
	expect(error.message).toContain("nothing was found with the ID 'no-such-enrollment'");
	expect(b.asked.map(({ query }) => query)).toEqual([{}, { trainingType: '0' }]);
});
