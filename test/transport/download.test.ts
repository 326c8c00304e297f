/** Where a download may be forwarded to: from https only to https, and never back to the credential once it has left. */
import { followRedirects, type RedirectTarget } from '../../nodes/shared/transport/download';

const SERVICE = 'https://x.example/api/export';
const answer = (status: number, location?: string) => ({
	...{ status, body: 'text' },
	headers: location === undefined ? {} : { location },
});

/** Follows a download through these addresses; what is asked on the way. */
async function follow(from: string, ...locations: string[]): Promise<RedirectTarget[]> {
	const asked: RedirectTarget[] = [];
	const answers = [...locations.map((location) => answer(302, location)), answer(200)];
	await followRedirects(answers[0] ?? answer(200), new URL(from), true, async (target) => {
		asked.push(target);
		return answers[asked.length] ?? answer(200);
	});
	return asked;
}

test('from https to https, and from plain http to either, where that is allowed', async () => {
	const hosts = async (from: string, to: string) => (await follow(from, to)).map(({ url }) => url.href);
	expect(await hosts(SERVICE, 'https://files.example/a')).toEqual(['https://files.example/a']);
	expect(await hosts(SERVICE, '/b')).toEqual(['https://x.example/b']);
	expect(await hosts('http://x.example/', 'http://files.example/a')).toEqual(['http://files.example/a']);
	expect(await hosts('http://x.example/', 'https://files.example/a')).toEqual(['https://files.example/a']);
});

test.each(['http://files.example/a', 'http://localhost/a', 'ftp://files.example/a', 'https://'])(
	'never from https to %s',
	async (location) => {
		await expect(follow(SERVICE, location)).rejects.toMatchObject({
			details: {
				reason: expect.stringMatching(/^the service forwards the file to an address that is not https/),
				advice: 'Nothing was requested from there, because others could read it on the way. Ask the platform about it.',
			},
		});
	},
);

test('is asked of the service only until it has left it', async () => {
	const asked = await follow(SERVICE, '/own', 'https://files.example/a', 'https://x.example/back');
	expect(asked.map(({ isService }) => isService)).toEqual([true, false, false]);
	expect((await follow(SERVICE, 'https://x.example:8443/other')).map(({ isService }) => isService)).toEqual([false]);
});

test('at most five times', async () => {
	expect(await follow(SERVICE, ...Array.from({ length: 5 }, (_, at) => `/${at}`))).toHaveLength(5);
	await expect(follow(SERVICE, ...Array.from({ length: 6 }, (_, at) => `/${at}`))).rejects.toThrow('more than 5 times');
});
