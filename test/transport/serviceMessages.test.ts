/** What the service says of a failure is shown, and an answer in another form is no data. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { textsIn } from '../n8n-core/texts';
import { answering, nodeFixture, failureOf, jsonOf, sendJson, the } from '../n8n-core/nodeFixture';
import { deepOr } from '../setup/depth';
import { turnClock } from '../setup/turnedClock';
import { callsOf } from './calls';

const b = nodeFixture({ companies: 40 });
turnClock();
const { reads, writes, run } = callsOf(b);
/** How many messages are too many. */
const MANY = deepOr(200_000, 80_000);

describe('what the service says is always shown', () => {
	const refused = ['The Name is taken.', 'Choose another one.'];
	test.each<[number, unknown, string]>([
		[
			400,
			{ data: null, status: 'error', message: null, validationMessages: refused },
			'The service says: The Name is taken. Choose another one.',
		],
		[
			200,
			{ data: null, status: 'error', message: 'No.', validationMessages: refused },
			'The service says: The Name is taken. Choose another one. No.',
		],
		[
			200,
			{ data: null, isSuccess: false, messages: refused },
			'The service says: The Name is taken. Choose another one.',
		],
		[
			200,
			{ data: null, status: 'success', validationMessages: refused },
			'The service says: The Name is taken. Choose another one.',
		],
		[200, { data: {}, status: 'Failed', messages: [{ message: refused[0] }] }, 'The service says: The Name is taken.'],
		[403, { status: 'error', validationMessages: 'The Name is taken' }, 'The service says: The Name is taken.'],
		[409, { isSuccess: false, messages: [{ description: 'taken' }] }, 'The service says: taken.'],
		[422, { title: 'Bad', detail: 'The Name is taken.' }, 'The service says: The Name is taken. Bad.'],
		[500, { code: 'INTERNAL_SERVER_ERROR', message: 'Oh no' }, 'The service says: Oh no.'],
		[418, { message: 'I am a teapot' }, 'The service says: I am a teapot.'],
	])('%d %j', async (status, body, said) => {
		const odd = await answering((_request, response) => sendJson(response, status, body));
		for (const call of [the(reads[0]), the(reads[1]), the(reads[2]), the(writes[0])]) {
			const error = await failureOf(run(call, { store: odd.store }));
			expect(error.description?.slice(0, said.length)).toBe(said);
			expect(error.message).toMatch(/^Could not /);
		}
	});

	test.each([
		['error-envelope', 'The operation could not be completed.'],
		['forbidden-company', 'You are not authorized to act for this company.'],
		['status-429', 'Too many requests.'],
		['status-500', 'An unexpected error occurred.'],
	] as const)('%s', async (kind, said) => {
		for (const call of [...reads, ...writes]) {
			b.service.fault({ route: call.route, kind, times: 5 });
			expect((await failureOf(run(call))).description).toContain(`The service says: ${said}`);
			b.service.clearFaults();
		}
	});

	test.each<[string, (text: string) => unknown]>([
		['one message', (text) => ({ status: 'error', message: text })],
		[
			'a list of messages',
			(text) => ({
				status: 'error',
				validationMessages: [text, ...Array<string>(MANY / 200).fill(text.slice(0, 5000))],
			}),
		],
		[
			'many short ones',
			() => ({
				status: 'error',
				validationMessages: Array.from({ length: MANY }, (_, index) => `The field ${index} is wrong`),
			}),
		],
	])('but not megabytes of it: %s', async (_name, body) => {
		const refusal = body(`The Name is taken.${'x'.repeat(25 * MANY)}`);
		const odd = await answering((_request, response) => sendJson(response, 400, refusal));
		for (const call of [the(reads[0]), the(reads[2]), the(writes[0])]) {
			const error = await failureOf(run(call, { store: odd.store }));
			expect(error.description).toMatch(/^The service says: The /);
			expect(error.description).toMatch(/…|The field 50 is wrong/);
			expect(Math.max(...textsIn([error]).map(({ length }) => length))).toBeLessThan(6000);
		}
	});

	test.each([0, 1, 7, 40].flatMap((offset) => [0, 1, 5000].map((times) => [offset, times] as const)))(
		'nor half of a secret where it is cut (%d, %d)',
		async (offset, times) => {
			const odd = await answering((_request, response, token) =>
				sendJson(response, 400, { message: `${'x'.repeat(2000 - offset)}${token}${token.repeat(times)}` }),
			);
			const error = await failureOf(run(the(reads[0]), { store: odd.store }));
			expect(textsIn([error]).join()).not.toMatch(/the-t|oken-of|odd-ser/);
		},
	);

	test('a web page is called one, whatever was asked for', async () => {
		for (const call of [...reads, ...writes]) {
			b.service.fault({ route: call.route, kind: 'html-200' });
			const error = await failureOf(run(call));
			expect(error.message).toMatch(/: a web page came back instead of data$/);
			expect(error.description).toContain("Check the credential's Base URL");
		}
	});
});

describe('an answer that is not in the form of the service', () => {
	test.each<[string, unknown]>([
		['no envelope', { greeting: 'hello', items: [1, 2, 3] }],
		['data of another shape', { data: { rows: [] }, status: 'success' }],
		['results that are no list', { data: { results: 'many', totalNumberOfPages: 1 }, status: 'success' }],
		['a text', 'hello'],
		['a number', 5],
	])('is no empty list: %s', async (_name, body) => {
		const odd = await answering((_request, response) => sendJson(response, 200, body));
		for (const [node, operation] of [
			[SecurityAwarenessCompany, 'getMany'],
			[SecurityAwarenessCompany, 'getTotalActiveUsers'],
			[SecurityAwarenessCompanyGroup, 'getMany'],
		] as const) {
			const error = await failureOf(b.run(node, { operation }, { store: odd.store }));
			expect(error.message).toMatch(/: the answer is not in the format of this service$/);
		}
	});

	test('is shown where the contract does not describe the list', async () => {
		const odd = await answering((_request, response) =>
			sendJson(response, 200, { data: { groups: ['a'] }, status: 'success' }),
		);
		const { items } = await b.run(SecurityAwarenessCompanyGroup, { operation: 'getAllGroups' }, { store: odd.store });
		expect(jsonOf(items)).toEqual([{ groups: ['a'] }]);
	});

	test('is no empty list: nothing at all', async () => {
		b.service.fault({ route: 'POST /api/companies/search', kind: 'empty', times: Infinity });
		const error = await failureOf(run(the(reads[1])));
		expect(error.message).toMatch(/^Could not get companies: /);
	});

	test.each([null, []])('but an empty list is: %j', async (data) => {
		const odd = await answering((_request, response) => sendJson(response, 200, { data, status: 'success' }));
		expect((await run(the(reads[1]), { store: odd.store })).items).toEqual([]);
	});
});
