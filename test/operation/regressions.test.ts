/** Errors that an external test of the package found, each reproduced as it was seen there. */
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { between } from '../stand-in/between';
import { callListSearch } from '../n8n-core';
import { answering, nodeFixture, failureOf, hintsOf, jsonOf, the } from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture({ companies: 40 });
turnClock();
const front = between(() => b.service);
const company = () => the(b.service.state.companies[3]).companyResourceId;
const one = () => ({ companyScope: 'one', company: { mode: 'id', value: company() } });

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
	const parameters = { operation: 'getMany', ...one(), filters: { excludeTests: true }, returnAll: true };
	const plain = await b.run(
		SecurityAwarenessEnrollment,
		{ ...parameters, filters: { excludeTests: false } },
		{ store: front.store },
	);
	const result = await b.run(SecurityAwarenessEnrollment, parameters, { store: front.store });
	expect(result.items).toHaveLength(plain.items.length);
	expect(hintsOf(result)).toEqual([
		"This platform's list does not show which records are tests, so 'Exclude Tests' left nothing out.",
	]);
});
