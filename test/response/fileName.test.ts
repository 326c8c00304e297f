/** Tests how an exported file is named after its Content-Disposition header. */
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { buildFileName, readFileName } from '../../nodes/core/response/fileName';
import { createNodeFixture, startFakeServer, toItems } from '../n8n-core/nodeFixture';

describe('the name of a file', () => {
	const buildName = (disposition = '', ...labels: string[]) =>
		buildFileName(readFileName(disposition), 'leaderboard', 'csv', labels);
	/** Returns a UTF-8 text as Node returns it from a header: each byte becomes one Latin-1 character. */
	const decodeAsLatin1 = (text: string) => Buffer.from(text).toString('latin1');
	const today = new Date().toISOString().slice(0, 10);

	test.each<[string, string | undefined, string]>([
		['plain', 'attachment; filename=report.csv', 'report.csv'],
		['quoted', 'attachment; filename="my report.csv"; size=5', 'my report.csv'],
		[
			'encoded (RFC 5987)',
			'attachment; filename="x.csv"; filename*=UTF-8\'\'%C3%9Cbersicht%20%F0%9F%9A%80.csv',
			'Übersicht 🚀.csv',
		],
		['encoded with a language', "attachment; filename*=utf-8'de'%C3%BC.xlsx", 'ü.xlsx'],
		['encoded, with & and +', "attachment; filename*=UTF-8''B&B%20C+D%20%26%20E.csv", 'B&B C+D & E.csv'],
		['in folders', 'attachment; filename="../../etc/passwd"', '_.._etc_passwd.csv'],
		['dots only', 'attachment; filename=".."', `leaderboard-${today}.csv`],
		['encoded, with quotes around', 'attachment; filename*="UTF-8\'\'%C3%BC%3B.csv"', 'ü;.csv'],
		['encoded, with quotes inside', 'attachment; filename*=UTF-8\'\'"%C3%BC;1.csv"; size=5', 'ü;1.csv'],
		['with escaped quotes', 'attachment; filename="a \\"b\\"; c.csv"', 'a _b_; c.csv'],
		['in UTF-8, unencoded', decodeAsLatin1('attachment; filename="Übersicht 🚀.csv"'), 'Übersicht 🚀.csv'],
		['in Latin-1', 'attachment; filename="Übersicht.csv"', 'Übersicht.csv'],
		['with a quote that is not closed', 'attachment; filename="report.csv', '_report.csv'],
		['after another parameter with the text filename=', 'attachment; x="; filename=y.csv"; filename=z.csv', 'z.csv'],
		['with NUL', "attachment; filename*=UTF-8''a%00.csv", 'a.csv'],
		['with characters that Windows rejects', 'attachment; filename="a<b>c:d|e?f*g.csv"', 'a_b_c_d_e_f_g.csv'],
		['with several such characters in a row', 'attachment; filename="a<>:b.csv"', 'a_b.csv'],
		['with dots and spaces at both ends', 'attachment; filename=". a. .csv"', 'a.csv'],
		['with invisible characters', decodeAsLatin1('attachment; filename="a\u200bb\u2028c\u202ed.csv"'), 'abcd.csv'],
		['with a letter and its accent', decodeAsLatin1('attachment; filename="u\u0308.csv"'), 'ü.csv'],
		['that is too long', `attachment; filename="${'a'.repeat(61)}.csv"`, `${'a'.repeat(60)}.csv`],
		['without an extension', 'attachment; filename=report', 'report.csv'],
		['encoded as in emails, base64', 'attachment; filename="=?UTF-8?B?w5xiZXJzaWNodC5jc3Y=?="', 'Übersicht.csv'],
		[
			'encoded as in emails, quoted',
			'attachment; filename="=?utf-8?Q?=C3=9Cbersicht_M=C3=A4rz.csv?="',
			'Übersicht März.csv',
		],
		[
			'encoded as in emails, in several words',
			'attachment; filename="=?UTF-8?B?w5xiZXI=?= =?ISO-8859-1?Q?sicht_=FC.csv?="',
			'Übersicht ü.csv',
		],
		['encoded as in emails, without quotes around', 'attachment; filename==?UTF-8?B?w5xiZXI=?=', 'Über.csv'],
		['in an unknown character set', 'attachment; filename="=?x-none?Q?a.csv?="', '=_x-none_Q_a.csv_=.csv'],
		['in single quotes', "attachment; filename='my report.csv'", 'my report.csv'],
		['with apostrophes', "attachment; filename=O'Neil's.csv", "O'Neil's.csv"],
		['empty, in single quotes', "attachment; filename=''", `leaderboard-${today}.csv`],
		['empty', 'attachment; filename=""', `leaderboard-${today}.csv`],
		['missing', 'attachment', `leaderboard-${today}.csv`],
		['not sent', undefined, `leaderboard-${today}.csv`],
	])('%s', (_name, disposition, expected) => {
		expect(buildName(disposition)).toBe(expected);
	});

	test.each([
		['attachment; filename="Leaderboard.csv"', 'Leaderboard-Bakery-Spring_1.csv'],
		['attachment; filename="Leaderboard BAKERY.csv"', 'Leaderboard BAKERY-Spring_1.csv'],
		['attachment; filename="Bakerys.csv"', 'Bakerys-Bakery-Spring_1.csv'],
		['attachment', `leaderboard-Bakery-Spring_1-${today}.csv`],
	])('contains the company and the owner: %s', (disposition, expected) => {
		expect(buildName(disposition, 'Bakery', 'Spring/1')).toBe(expected);
		expect(buildName('attachment; filename=a.csv', '', '')).toBe('a.csv');
	});
});

describe('a report about an enrollment, for an input item', () => {
	const fixture = createNodeFixture();
	const ENROLLMENT_ID = '0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f';

	test.each([
		['about this enrollment: the name in the item', ENROLLMENT_ID, 'Basics'],
		['about another enrollment: the ID, because the name is unknown', 'e1', ENROLLMENT_ID],
	])('%s is in the name of the file', async (_about, enrollmentId, label) => {
		const { credentialStore } = await startFakeServer({
			[`POST /api/training-reports/${ENROLLMENT_ID}/users/search/export`]: { csv: 'email' },
		});
		const enrollment = { mode: 'id', value: ENROLLMENT_ID };
		const parameters = { resource: 'enrolledUser', operation: 'export', companyScope: 'own', enrollment };
		const items = toItems({ enrollmentId, enrollmentName: 'Basics' });
		const result = await fixture.run(SecurityAwarenessTrainingReport, parameters, { credentialStore, items });
		expect(result.items[0]?.json.fileName).toMatch(new RegExp(`-${label}-[0-9-]+\\.csv$`));
	});
});
