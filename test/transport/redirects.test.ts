/** Where the service forwards a download to, and what goes along. */
import dns from 'node:dns';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { CredentialStore, readBinary } from '../n8n-core';
import { textsIn } from '../n8n-core/texts';
import { answering, nodeFixture, failureOf, jsonOf, sendJson, the } from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture({ companies: 40 });
turnClock();
const company = () => the(b.service.state.companies[0]).companyResourceId;
const download = async (store: CredentialStore) =>
	await b.run(
		SecurityAwarenessLeaderboard,
		{ operation: 'export', companyScope: 'one', company: { mode: 'id', value: company() }, options: { timeout: 2 } },
		{ store },
	);

type Odd = Awaited<ReturnType<typeof answering>>;
const CSV = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="there.csv"' };
const file: Parameters<typeof answering>[0] = (_request, response) => response.writeHead(200, CSV).end('a,b\r\n');
/** Answers an export with a way to somewhere, and whatever else with a file. */
const forwarding = async (to: (self: string) => string, status = 302): Promise<Odd> => {
	const odd: Odd = await answering((request, response) => {
		if (request.method === 'POST') response.writeHead(status, { location: to(odd.url) }).end('moved');
		else response.writeHead(200, CSV).end('a,b\r\n');
	});
	return odd;
};
const NAMES = ['platform.test', 'files.platform.test', 'other.test'];
/** A store whose service is called platform.test, over plain http where that is allowed. */
const named = ({ url, store }: Odd, allowPlainHttp = true) =>
	new CredentialStore({ ...store.data, serverUrl: url.replace('127.0.0.1', 'platform.test'), allowPlainHttp });
const asHost = (url: string, host: string) => url.replace('127.0.0.1', host);

beforeEach(() => {
	const real = dns.lookup.bind(dns);
	const fake = (host: string, ...rest: unknown[]) =>
		Reflect.apply(real, dns, [NAMES.includes(host) ? '127.0.0.1' : host, ...rest]) as unknown;
	jest.spyOn(dns, 'lookup').mockImplementation(Object.assign(fake, { __promisify__: dns.lookup.__promisify__ }));
});

const SECRET = /authorization|bearer|cookie|x-service-company-id|the-token|the-secret/i;

test.each([301, 302, 303, 307, 308])(
	'a redirect (%d) to a subdomain, another port or another host: a GET without token, company or body',
	async (status) => {
		for (const host of ['files.platform.test', 'platform.test', 'other.test', '127.0.0.1']) {
			const bodies: string[] = [];
			const storage = await answering((request, response) => {
				request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
				file(request, response, '');
			});
			const odd = await forwarding(() => `${asHost(storage.url, host)}/signed?signature=s`, status);
			const { items } = await download(named(odd));
			expect((await readBinary(items[0])).toString()).toBe('a,b\r\n');
			expect(items[0]?.json.fileName).toBe('there.csv');
			expect(storage.requests.map(({ method, url }) => [method, url])).toEqual([['GET', '/signed?signature=s']]);
			expect(JSON.stringify(storage.requests)).not.toMatch(SECRET);
			expect(bodies).toEqual([]);
			expect(odd.requests.map(({ headers }) => headers['x-service-company-id'])).toEqual([company()]);
		}
	},
);

test('within the service: a GET with its token and the company, also by a path alone', async () => {
	for (const to of [() => '/files/1?x=y', (self: string) => `${self}/files/1?x=y`, () => '../files/1?x=y']) {
		const odd = await forwarding(to);
		const { items } = await download(odd.store);
		expect((await readBinary(items[0])).toString()).toBe('a,b\r\n');
		expect(
			odd.requests.map(({ method, headers }) => [method, headers.authorization, headers['x-service-company-id']]),
		).toEqual(['POST', 'GET'].map((method) => [method, 'Bearer the-token-of-the-odd-service', company()]));
		expect(odd.requests[1]?.url).toMatch(/\/files\/1\?x=y$/);
		expect(odd.requests[1]?.headers['content-type']).toBeUndefined();
	}
});

test('once it has led away from the service, it does not come back with the token', async () => {
	const storage: Odd = await answering((_request, response) =>
		response.writeHead(302, { location: `${odd.url}/api/companies/my` }).end(),
	);
	const odd: Odd = await forwarding(() => storage.url);
	await download(odd.store);
	expect(odd.requests.map(({ method, url, headers }) => [method, url, headers.authorization !== undefined])).toEqual([
		['POST', '/api/leaderboard/get-all/export', true],
		['GET', '/api/companies/my', false],
	]);
});

test('five times and no more', async () => {
	for (const [times, isFollowed] of [
		[5, true],
		[6, false],
	] as const) {
		let left = times;
		const odd = await answering((_request, response) =>
			left-- > 0 ? response.writeHead(302, { location: `/${left}` }).end() : response.writeHead(200, CSV).end('a,b'),
		);
		if (isFollowed)
			expect(jsonOf((await download(odd.store)).items)).toMatchObject([{ fileName: 'there.csv', bytes: 3 }]);
		else expect((await failureOf(download(odd.store))).message).toContain('the file is forwarded more than 5 times');
		expect(odd.requests).toHaveLength(6);
	}
});

describe('is not followed, and the person is told', () => {
	test.each([
		[
			'plain http, where that is not allowed',
			(to: string) => asHost(to, 'other.test'),
			false,
			/is not https \(other\.test:\d+\)$/,
		],
		['another scheme', () => 'ftp://files.example/x?signature=s', true, /is not https \(files\.example\)$/],
		["a file of n8n's own machine", () => 'file:///etc/passwd', true, /is not https \(file:\)$/],
		['data', () => 'data:text/csv,a', true, /is not https \(data:\)$/],
		['nonsense', () => 'http://', true, /is not https$/],
	])('%s', async (_name, to, allowPlainHttp, says) => {
		const storage = await answering(file);
		const odd = await forwarding(() => to(storage.url));
		const error = await failureOf(download(allowPlainHttp ? named(odd) : odd.store));
		expect(error.message).toMatch(says);
		expect(textsIn([error]).join()).not.toContain('signature=s');
		expect(storage.requests).toEqual([]);
		expect(odd.requests).toHaveLength(1);
	});

	test('where there is nothing to follow', async () => {
		const odd = await answering((_request, response) => response.writeHead(302).end());
		const error = await failureOf(download(odd.store));
		expect(error.message).toContain('the service answered with status 302');
	});
});

test.each([
	[403, 1],
	[404, 1],
	[401, 1],
	[503, 5],
])('a storage that answers %d: its name and what to do, and no other token is asked for', async (status, asked) => {
	const storage = await answering((_request, response) =>
		response.writeHead(status, { 'content-type': 'application/xml' }).end('<Error>the-token</Error>'),
	);
	const odd = await forwarding(() => `${storage.url}/signed?signature=s`);
	const error = await failureOf(download(odd.store));
	expect(error.message).toMatch(
		new RegExp(`: 127\\.0\\.0\\.1:\\d+, where the service keeps the file, answered with status ${status}$`),
	);
	expect(error.description).toContain('Run the node again');
	expect(textsIn([error]).join()).not.toContain('signature=s');
	expect([storage.requests.length, odd.requests.length, odd.tokenRequests()]).toEqual([asked, asked, 1]);
});

test('a token that is refused behind a redirect within the service is renewed', async () => {
	let refused = false;
	const odd: Odd = await answering((request, response) => {
		if (request.method === 'POST') response.writeHead(302, { location: '/files/1' }).end();
		else if (!refused) {
			refused = true;
			sendJson(response, 401, {});
		} else file(request, response, '');
	});
	expect((await download(odd.store)).items).toHaveLength(1);
	expect(odd.tokenRequests()).toBe(2);
});

test('what is asked in JSON is not forwarded, not even within the service', async () => {
	const odd = await answering((_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
	const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store }));
	expect(error.message).toContain('the service answered with status 307');
	expect(odd.requests).toHaveLength(1);
});
