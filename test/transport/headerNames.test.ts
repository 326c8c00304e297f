/** Which names the header with the company may have: any that HTTP allows, and that means nothing else to it. */
import { connectionOf } from '../../nodes/shared/transport/connection';

const named = (companyHeaderName: unknown, enrollmentHeaderName?: unknown) =>
	connectionOf({
		serverUrl: 'https://x.example',
		clientId: 'i',
		clientSecret: 's',
		companyHeaderName,
		enrollmentHeaderName,
	});

const TAKEN = [
	...['Authorization', 'Proxy-Authorization', 'Proxy-Connection', 'Cookie', 'Host', 'Connection', 'Content-Type'],
	...['Content-Length', 'Accept', 'Accept-Encoding', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Expect'],
	...['Keep-Alive', 'Range', 'If-Match', 'If-None-Match', 'User-Agent', '__proto__'],
];

test.each(TAKEN)("'%s' is refused, however it is written", (name) => {
	for (const each of [name, name.toLowerCase(), name.toUpperCase(), ` ${name} `]) {
		expect(() => named(each)).toThrow(`must not be '${each.trim()}', which has another meaning`);
		expect(() => named('X-ACME-Company-Id', each)).toThrow('which has another meaning');
	}
});

test.each([
	'X-ACME-Company-Id',
	'X-Host',
	'Hosts',
	'X-Cookie',
	'Cookie-2',
	'Contents',
	'Accepted',
	'Te-2',
	'X-Range',
	'Iffy',
	'My-User-Agent',
	'a',
	"!#$%&'*+.^_`|~",
])("'%s' is taken as it is", (name) => {
	expect(Object.values(named(` ${name} `))).toContain(name);
});

test.each(['X Company', 'X-Company:', 'X-Company\r\nEvil: 1', 'Firmä', 'a,b', '"a"', 'a/b', '(a)'])(
	"'%s' is none",
	(name) => {
		expect(() => named(name)).toThrow('must be a header name');
	},
);
