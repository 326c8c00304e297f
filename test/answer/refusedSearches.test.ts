/** Searches that are refused as they were first sent: what is asked for next, and whose error a person is told. */
import type { IDataObject } from 'n8n-workflow';
import { askSearch } from '../../nodes/shared/answer/search';
import { searchFilter } from '../../nodes/shared/form/search';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { answering, failureOf, nodeFixture, sendJson, type RunMore } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';
import { inNode } from '../transport/inNode';

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
	[
		'with fields of other names that a person added, those of a survey as well',
		{ options: { moreFields: '{ "myTrainingType": 3, "trainingTypes": 3 }' } },
		[undefined, 0, undefined],
	],
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

describe('a search that was refused once, and then fails in another way, is told as failed so', () => {
	/** What it ends with. @param then what the service does after the first refusal */
	const failed = async (then: (response: Parameters<typeof sendJson>[0], stop: () => void) => void) => {
		const controller = new AbortController();
		let requests = 0;
		const { store } = await answering((_request, response) => {
			if (requests++ === 0) sendJson(response, 400, REFUSED);
			else then(response, () => controller.abort());
		});
		const body = { orderBy: 'CreateTime', ascending: false, filter: searchFilter() };
		const request = { contract: 'POST /api/scim/search', repeatable: true, purpose: 'ask', body } as const;
		return await inNode(
			store,
			async (service) =>
				await askSearch(service, request, { isOwnOrder: true }, async (way) => await service.json(way)),
			controller.signal,
		);
	};

	test('by a token that is not accepted', async () => {
		expect(await failed((response) => sendJson(response, 401, {}))).toMatchObject({ details: { status: 401 } });
	});

	test('by Stop', async () => {
		expect(await failed((_response, stop) => stop())).toMatchObject({ details: { cause: 'cancelled' } });
	});

	test('but not where the further form is not allowed or not known: then the first refusal says more', async () => {
		for (const status of [403, 404])
			expect(await failed((response) => sendJson(response, status, {}))).toMatchObject({ details: { status: 400 } });
	});
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
