/** Why an address cannot be the Base URL, and what to enter instead. */
import { baseUrlOf, isAllowed } from '../../nodes/shared/transport/connection';
import { refusalOf } from '../form/refusal';

const EXAMPLE = 'For example https://awareness.example.com. Open the credential to change it.';
const PATH = `Enter only the scheme and the host. ${EXAMPLE}`;
const USER =
	'Leave out what stands before the @; the Client ID and Client Secret have fields of their own. Open the credential to change it.';
const PLAIN =
	"Change it to https://, or switch on 'Allow Plain HTTP' for a test system. Open the credential to change it.";

test.each<[unknown, string, string]>([
	['', 'is empty', EXAMPLE],
	['   ', 'is empty', EXAMPLE],
	[undefined, 'is empty', EXAMPLE],
	[5, 'is empty', EXAMPLE],
	['x.example', 'must begin with https://', EXAMPLE],
	['ftp://x.example', 'must begin with https://', EXAMPLE],
	['xhttps://x.example', 'must begin with https://', EXAMPLE],
	['https://', 'is not a web address', EXAMPLE],
	['https://a b', 'is not a web address', EXAMPLE],
	['https://a\\b', 'is not a web address', EXAMPLE],
	['https://a@x.example', 'must not hold a user name or password', USER],
	['https://:b@x.example', 'must not hold a user name or password', USER],
	['https://x.example/app', 'must not have a path', PATH],
	['https://x.example/api/v1', 'must not have a path', PATH],
	['https://x.example/?a', 'must not have a path', PATH],
	['https://x.example/#a', 'must not have a path', PATH],
	['http://x.example', 'must begin with https://, because over http:// others can read your data on the way', PLAIN],
	[
		'http://localhost.example',
		'must begin with https://, because over http:// others can read your data on the way',
		PLAIN,
	],
])('%j is refused', async (typed, complaint, advice) => {
	expect(await refusalOf(() => baseUrlOf(typed, false))).toMatchObject({ complaint, advice, path: ['Base URL'] });
});

test.each<[string, boolean]>([
	['https://x.example', true],
	['http://x.example', false],
	['http://localhost', true],
	['http://127.0.0.1', true],
	['http://127.1.2.3', true],
	['http://[::1]', true],
	['http://128.0.0.1', false],
	['http://127.0.0.1.example', false],
	['http://xlocalhost', false],
	['ftp://localhost', false],
])('%s may be asked without a word: %s', (url, allowed) => {
	expect(isAllowed(new URL(url), false)).toBe(allowed);
	expect(isAllowed(new URL(url), true)).toBe(!url.startsWith('ftp'));
});
