/** Errors that an external test of the package found, each reproduced as it was seen there. */
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { between } from '../stand-in/between';
import { callListSearch, readBinary } from '../n8n-core';
import {
	answering,
	nodeFixture,
	failedItem,
	failureOf,
	hintsOf,
	jsonOf,
	sendJson,
	the,
	times,
} from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture({ companies: 40 });
turnClock();
const front = between(() => b.service);
const company = () => the(b.service.state.companies[3]).companyResourceId;
const one = () => ({ companyScope: 'one', company: { mode: 'id', value: company() } });

describe('an export of more records than a platform takes on one page', () => {
	const SEARCH = '/phishing-campaign/search';
	const count = () => b.service.state.of(company()).campaigns('phishing').length;
	/** A list that says that there are so many, and an export that refuses pages of more than 100. */
	const rules = (total: number) => ({
		change: (data: Record<string, unknown>, { path }: { path: string }) =>
			path.endsWith(SEARCH) ? { ...data, totalNumberOfRecords: total, totalNumberOfPages: total } : data,
		refuse: ({ path, body }: { path: string; body: Record<string, unknown> }) =>
			path.endsWith(`${SEARCH}/export`) && Number(body.pageSize) > 100 ? 'PageSize' : undefined,
	});

	test('is asked for as all pages, and the person is told to count', async () => {
		front.rules = rules(304);
		const result = await b.run(
			SecurityAwarenessPhishingCampaign,
			{ operation: 'export', ...one() },
			{ store: front.store },
		);
		const sent = front.asked.filter(({ path }) => path.endsWith('/export')).at(-1);
		expect([sent?.body.pageSize, sent?.body.reportAllPages]).toEqual([100, true]);
		expect((await readBinary(result.items[0])).toString().trim().split('\r\n')).toHaveLength(1 + count());
		expect(hintsOf(result).join()).toContain('Check that the file has all of them.');
	});

	test('a count of one record, of a page of one, is not believed', async () => {
		front.rules = {
			change: (data, { path, body }) =>
				path.endsWith(SEARCH)
					? { ...data, totalNumberOfRecords: Math.min(Number(body.pageSize), count()), totalNumberOfPages: 1 }
					: data,
		};
		await b.run(SecurityAwarenessPhishingCampaign, { operation: 'export', ...one() }, { store: front.store });
		const sent = front.asked.filter(({ path }) => path.endsWith('/export')).at(-1);
		expect(sent?.body.pageSize).toBe(count());
		expect(count()).toBeGreaterThan(1);
	});
});

describe('surveys, whose people are listed by their training type only', () => {
	const USERS = '/users/search';
	const enrollments = () => b.service.state.of(company()).enrollments;
	const at = (index: number) => ({ enrollment: { mode: 'id', value: the(enrollments()[index]).resourceId } });
	const isSurvey = (path: string) => path.includes(the(enrollments()[0]).resourceId);
	beforeEach(() => {
		front.rules = {
			refuse: ({ path, body }) =>
				path.endsWith(USERS) && isSurvey(path) && body.trainingType !== 0 ? 'TrainingType' : undefined,
		};
	});

	test('are read all the same, and what one enrollment is another is not', async () => {
		const items = [0, 1].map((index) => ({ json: { id: the(enrollments()[index]).resourceId } }));
		const parameters = {
			operation: 'getUsers',
			...one(),
			enrollment: { mode: 'id', value: '={{ $json.id }}' },
			returnAll: true,
			options: { concurrency: 1 },
		};
		const { items: shown } = await b.run(SecurityAwarenessTrainingReport, parameters, { store: front.store, items });
		expect(shown.length).toBeGreaterThan(0);
		const types = front.asked
			.filter(({ path }) => path.endsWith(USERS))
			.map(({ path, body }) => [isSurvey(path), body.trainingType]);
		expect(types).toEqual([
			[true, undefined],
			[true, 0],
			[false, undefined],
		]);
	});

	test('can be chosen from, person by person', async () => {
		const parameters = { operation: 'getInteractions', ...one(), ...at(0) };
		const { results } = await callListSearch({
			node: new SecurityAwarenessTrainingReport(),
			parameters,
			credential: front.store,
			method: 'searchTargetUsers',
		});
		expect(results.length).toBeGreaterThan(0);
	});
});

test('a company that stands by itself and inside its parent can be chosen once', async () => {
	front.rules = {
		change: (data, { path }) => {
			if (!path.endsWith('/companies/search') || !Array.isArray(data.results)) return data;
			const results: unknown[] = data.results;
			return {
				...data,
				results: [
					{ companyResourceId: 'child', companyName: 'AAA Child' },
					...results.slice(0, 1),
					{
						companyResourceId: 'parent',
						companyName: 'Parent',
						children: [{ companyResourceId: 'child', companyName: 'AAA Child' }],
					},
				],
			};
		},
	};
	const { results } = await callListSearch({
		node: new SecurityAwarenessCompany(),
		parameters: { operation: 'get' },
		credential: front.store,
		method: 'searchCompanies',
	});
	expect(results.filter(({ value }) => value === 'child')).toHaveLength(1);
});

test.each([
	['in quotes', '"the-token-of-this-once"', 'application/json'],
	['as text', 'the-token-of-this-once', 'text/plain'],
])('a token that is all there is of an answer, %s, is not lost', async (_how, body, type) => {
	const odd = await answering((_request, response) => void response.writeHead(200, { 'content-type': type }).end(body));
	const { items } = await b.run(
		SecurityAwarenessScimIntegration,
		{ operation: 'revokeToken', ...one(), scimIntegration: { mode: 'id', value: 'x' } },
		{ store: odd.store },
	);
	expect(jsonOf(items)).toMatchObject([{ resourceId: 'x', token: 'the-token-of-this-once' }]);
	const login = await b.run(
		SecurityAwarenessAccount,
		{ operation: 'exchangeAgentCode', authCode: 'code' },
		{ store: odd.store },
	);
	expect(JSON.stringify(jsonOf(login.items))).toContain('the-token-of-this-once');
});

test('a sentence or a page is still no answer of the service', async () => {
	const odd = await answering(
		(_request, response) =>
			void response.writeHead(200, { 'content-type': 'text/plain' }).end('Service is up and running'),
	);
	const error = await failureOf(
		b.run(
			SecurityAwarenessScimIntegration,
			{ operation: 'revokeToken', ...one(), scimIntegration: { mode: 'id', value: 'x' } },
			{ store: odd.store },
		),
	);
	expect(error.message).toContain('the answer is not in the format of this service');
});

test('tokens that are issued and never accepted: the first few requests find that out for all', async () => {
	const odd = await answering((_request, response) => sendJson(response, 401, { status: 'error', message: 'no' }));
	const began = performance.now();
	const { items } = await b.run(
		SecurityAwarenessCompany,
		{ operation: 'get', company: { mode: 'id', value: 'x' } },
		{ store: odd.store, items: times(40).map((json) => ({ json })), onError: 'continueRegularOutput' },
	);
	expect(
		items
			.map((item) => failedItem(item).message)
			.filter((message) => message.includes('does not accept the token (401)')),
	).toHaveLength(40);
	expect(odd.requests.filter(({ url }) => !url.endsWith('/connect/token')).length).toBeLessThan(40);
	expect(performance.now() - began).toBeLessThan(15_000);
});

test('an item that fails the node stops what is read for the others', async () => {
	const id = company();
	const front404 = (path: string, own: string | undefined) => path.includes('target-groups') && own === 'none';
	front.rules = {
		refuse: ({ path, company: own }) => (front404(path, own) ? 'no such company' : undefined),
		change: (data) => ({ ...data, totalNumberOfRecords: 100_000, totalNumberOfPages: 100_000 }),
	};
	const items = ['none', id, id].map((value) => ({ json: { value } }));
	const parameters = {
		operation: 'getMany',
		companyScope: 'one',
		company: { mode: 'id', value: '={{ $json.value }}' },
		returnAll: true,
	};
	const error = await failureOf(b.run(SecurityAwarenessTargetGroup, parameters, { store: front.store, items }));
	expect(error.message).toContain("for 'none'");
	const asked = front.asked.length;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(front.asked.length).toBe(asked);
});

test("a list that says of no record whether it is a test: 'Exclude Tests' says that it left nothing out", async () => {
	front.rules = {
		change: (data, { path }) => {
			if (!path.endsWith('/enrollments/search') || !Array.isArray(data.results)) return data;
			const results: unknown[] = data.results;
			return {
				...data,
				results: results.map((each) =>
					Object.fromEntries(Object.entries(each ?? {}).filter(([name]) => !/test|exclude/i.test(name))),
				),
			};
		},
	};
	const parameters = { operation: 'getMany', ...one(), excludeTests: true, returnAll: true };
	const plain = await b.run(
		SecurityAwarenessEnrollment,
		{ ...parameters, excludeTests: false },
		{ store: front.store },
	);
	const result = await b.run(SecurityAwarenessEnrollment, parameters, { store: front.store });
	expect(result.items).toHaveLength(plain.items.length);
	expect(hintsOf(result)).toEqual([
		"This platform's list does not show which records are tests, so 'Exclude Tests' left nothing out.",
	]);
});
