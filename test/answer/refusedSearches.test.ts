/** Searches that are refused as they were first sent: what is asked for next, and whose error a person is told. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { answering, failureOf, nodeFixture, sendJson, type RunMore } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';

const b = nodeFixture();
const USERS = 'POST /api/training-reports/e/users/search';
const JOBS = 'POST /api/phishing-simulator/phishing-campaign-job-report/search';
const REFUSED = { status: 'INPUT_ERROR', message: 'Invalid request', data: null };

const users = async (more: IDataObject, run: RunMore) => {
	const enrollment = { __rl: true, mode: 'id', value: 'e' };
	const parameters = { operation: 'getUsers', companyScope: 'own', enrollment, ...more };
	return await b.run(SecurityAwarenessTrainingReport, parameters, run);
};

test.each<[string, IDataObject, unknown[]]>([
	['without a type, those of a survey are asked for as well', {}, [undefined, 0, undefined]],
	['of a type that a person chose, no others', { reportOptions: { trainingType: 3 } }, [3, 3]],
	[
		'of a type that a person added, no others',
		{ options: { moreFields: '{ "TrainingType": 3 }' } },
		[undefined, undefined],
	],
])('the people of a training, %s', async (_name, more, types) => {
	const { store, asked } = await deployment({ [USERS]: { status: 400, body: REFUSED } });
	const error = await failureOf(users(more, { store }));
	expect(error.description).toContain('Invalid request');
	expect(asked.map(({ body }) => body.trainingType)).toEqual(types);
});

/** A service that refuses the first search, and does with all others what a test says. */
const refusingOnce = async (then: (response: Parameters<typeof sendJson>[0]) => void) => {
	let requests = 0;
	return await answering((_request, response) => {
		if (requests++ === 0) sendJson(response, 400, REFUSED);
		else then(response);
	});
};

test('a token that is refused after the search was refused once is told, because no other form of it would help', async () => {
	const { store } = await refusingOnce((response) => sendJson(response, 401, {}));
	const error = await failureOf(users({}, { store }));
	expect(error.message).toContain('the service does not accept the token (401)');
});

test('Stop after the search was refused once stops the node, also one that continues on errors', async () => {
	const controller = new AbortController();
	const { store } = await refusingOnce(() => controller.abort());
	const more = { store, signal: controller.signal, onError: 'continueRegularOutput' as const };
	const error = await failureOf(users({}, more));
	expect(error.message).toContain('the run was stopped');
});

describe('an operation of several requests, which has no field for a sort', () => {
	test('does not advise to change the sort', async () => {
		const { store } = await deployment({ [JOBS]: { status: 400, body: REFUSED } });
		const parameters = { operation: 'fullReportOfPeriod', companyScope: 'own', period: 'custom' };
		const error = await failureOf(b.run(SecurityAwarenessPhishingCampaign, parameters, { store }));
		expect(error.description).toContain('Invalid request');
		expect(error.description).not.toMatch(/sort/i);
	});
});
