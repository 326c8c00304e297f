/** What a request is made of: identifiers, its path, its headers, its form. */
import {
	companyHeaders,
	formOf,
	MAX_ID_LENGTH,
	optionsOf,
	parseId,
	pathOf,
	permissionOf,
	type ContractKey,
	type ServiceRequest,
} from '../../nodes/shared/transport/request';
import { refusalOf } from '../form/refusal';

describe('an identifier', () => {
	test.each<[unknown, string]>([
		['a-1', 'a-1'],
		[' a-1 ', 'a-1'],
		[17, '17'],
		['...', '...'],
		['.a', '.a'],
		['x'.repeat(MAX_ID_LENGTH), 'x'.repeat(MAX_ID_LENGTH)],
		['ü 漢', 'ü 漢'],
	])('%j is taken', (raw, id) => {
		expect(parseId(raw)).toBe(id);
	});

	test.each<[unknown, string]>([
		[undefined, 'must not be empty'],
		[null, 'must not be empty'],
		['', 'must not be empty'],
		['   ', 'must not be empty'],
		[{}, 'must be an ID'],
		[true, 'must be an ID'],
		['a\nb', 'must not have line breaks or control characters'],
		['a\n', 'must not have line breaks or control characters'],
		['a\u0085', 'must not have line breaks or control characters'],
		['a\u2028b', 'must not have line breaks or control characters'],
		['a/b', 'is not an ID: it must not have / \\ ? # or be dots only'],
		['a\\b', 'is not an ID: it must not have / \\ ? # or be dots only'],
		['a?b', 'is not an ID: it must not have / \\ ? # or be dots only'],
		['a#b', 'is not an ID: it must not have / \\ ? # or be dots only'],
		['.', 'is not an ID: it must not have / \\ ? # or be dots only'],
		['..', 'is not an ID: it must not have / \\ ? # or be dots only'],
		['x'.repeat(257), 'must have at most 256 characters, but has 257'],
	])('%j is refused', async (raw, complaint) => {
		const refusal = await refusalOf(() => parseId(raw));
		expect(refusal).toMatchObject({ complaint, advice: expect.stringMatching(/^Choose /) });
	});
});

describe('a path', () => {
	test('has its placeholders filled in, encoded', () => {
		expect(pathOf('GET /api/companies/{companyResourceId}', { companyResourceId: 'a b&ü' })).toBe(
			'/api/companies/a%20b%26%C3%BC',
		);
		expect(pathOf('POST /api/a/{one}/b/{two}', { one: '1', two: '2' })).toBe('/api/a/1/b/2');
		expect(pathOf('GET /api/companies/my')).toBe('/api/companies/my');
	});

	test('is refused with the name of the placeholder that has no usable value', async () => {
		for (const values of [undefined, { resourceId: 'a/b' }])
			expect(await refusalOf(() => pathOf('GET /api/x/{resourceId}', values))).toMatchObject({ path: ['resourceId'] });
		// Half a letter cannot be encoded.
		expect(await refusalOf(() => pathOf('GET /api/x/{resourceId}', { resourceId: '\ud800' }))).toMatchObject({
			complaint: 'is not text',
			path: ['resourceId'],
		});
	});
});

describe('the headers that name the company (contract 4.1; deployment behaviour)', () => {
	const names = { companyHeader: 'X-Company', enrollmentHeader: 'x-ir' };
	const headers = (contract: ContractKey, id?: string) =>
		companyHeaders(
			{
				...{ contract, repeatable: true, purpose: 'p' },
				...(id === undefined ? {} : { company: { id, name: '' } }),
			} satisfies ServiceRequest,
			names,
		);

	test('none without a company, one for most, two for enrollments', () => {
		expect(headers('GET /api/companies/my')).toEqual({});
		expect(headers('GET /api/companies/my', 'a')).toEqual({ 'X-Company': 'a' });
		for (const contract of ['POST /api/enrollments', 'POST /api/enrollments/search'] as const)
			expect(headers(contract, 'a')).toEqual({ 'X-Company': 'a', 'x-ir': 'a' });
		for (const contract of ['POST /api/enrollmentsOther', 'GET /api/x/api/enrollments'] as const)
			expect(headers(contract, 'a')).toEqual({ 'X-Company': 'a' });
	});

	test.each(['ü', 'a\u007f', 'a\tb', ''])('%j cannot stand in a header', async (id) => {
		expect(await refusalOf(() => headers('GET /api/companies/my', id))).toMatchObject({ path: ['Company'] });
	});

	test('every sign of ASCII can', () => {
		expect(headers('GET /api/companies/my', ' ~a')).toEqual({ 'X-Company': ' ~a' });
	});
});

test('a permission is written as tokens list it (deployment facts)', () => {
	expect(permissionOf('POST /api/companies/search')).toBe('companies/search|POST');
	expect(permissionOf('GET /api/x/api/y')).toBe('x/api/y|GET');
});

test('a form has each field once, a list as many times as it has entries, and files with their names and types', async () => {
	const form = formOf({
		...{ Name: 'n', Count: 0, IsOn: false, Nothing: undefined, Tags: ['a', 'b'], None: [] },
		File: { fileName: 'logo.png', mimeType: 'image/png', content: Buffer.from('png') },
	});
	const file = form.get('File');
	expect([...form.keys()]).toEqual(['Name', 'Count', 'IsOn', 'Tags', 'Tags', 'File']);
	expect([form.get('Count'), form.get('IsOn'), form.getAll('Tags')]).toEqual(['0', 'false', ['a', 'b']]);
	expect(file).toMatchObject({ name: 'logo.png', type: 'image/png', size: 3 });
	expect(file instanceof Blob && (await file.text())).toBe('png');
});

describe("what n8n's helper is given", () => {
	const headers = { Accept: 'application/json' };
	const given = (request: Parameters<typeof optionsOf>[0]) =>
		optionsOf(request, { url: 'https://x.example/api/y', headers }, 5000);

	test('the method, the time, and that nothing is followed or thrown', () => {
		expect(given({ contract: 'PUT /api/y' })).toEqual({
			...{ url: 'https://x.example/api/y', headers, method: 'PUT', timeout: 5000 },
			...{ returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
			sendCredentialsOnCrossOriginRedirect: false,
		});
		expect(given({ contract: 'PUT /api/y' }).headers).not.toBe(headers);
	});

	test('a query; a body, over which goes what a person adds', () => {
		expect(given({ contract: 'GET /api/y', query: { a: 1 } }).qs).toEqual({ a: 1 });
		expect(given({ contract: 'POST /api/y', body: { a: 1, b: 2 }, more: { b: 3, c: 4 } }).body).toEqual({
			...{ a: 1, b: 3, c: 4 },
		});
		expect(given({ contract: 'POST /api/y', form: { a: 1 } }).body).toBeInstanceOf(FormData);
	});
});
