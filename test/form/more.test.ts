/** Addresses, and what a person adds in JSON, one rule at a time. */
import type { ItemContext } from '../../nodes/shared/form/field';
import { parseIpAddresses } from '../../nodes/shared/form/ipAddress';
import { asFormFields, moreFields } from '../../nodes/shared/form/more';
import { queryParameters } from '../../nodes/shared/form/query';
import { refusalOf, says } from './refusal';

const item: ItemContext = { timezone: 'UTC', upload: () => Promise.reject(new Error('There is no file')) };

describe('IP addresses (contract 2.11)', () => {
	test.each([
		...['203.0.113.7', '0.0.0.0', '255.255.255.255', '203.0.113.0/24', '203.0.113.7/32', '10.0.0.0/0'],
		...['2001:db8::1', '::', '::ffff:203.0.113.7', 'FE80::1', '2001:db8::/32', '::1/128'],
	])('%s is one', (address) => {
		expect(parseIpAddresses(address)).toEqual([address]);
	});

	test.each([
		...[
			'203.0.113',
			'203.0.113.256',
			'203.0.113.7.1',
			'203.0.113.0/33',
			'203.0.113.0/',
			'203.0.113.0/a',
			'1.2.3.4/1/2',
		],
		...['203.0.113.1000', '2001:db8::1/129', '2001:db8:::1', ':', 'g::1', '[::1]', 'localhost', '1234', 'abcd', '/24'],
		...['1.2.3.4/0024', 'x1.2.3.4', '1.2.3.4x', '1a2.3.4.5'],
	])('%s is none', (address) => {
		expect(() => parseIpAddresses(`203.0.113.7, ${address}`)).toThrow(
			says(`must contain IP addresses, but '${address}' is none`),
		);
	});
});

describe('what a person adds in JSON', () => {
	const parse = async (raw: unknown) => await moreFields().parse(raw, item);

	test('is an object, as text or as a value', async () => {
		expect(await parse('{ "a": { "b": null } }')).toEqual({ a: { b: null } });
		expect(await parse({ a: 1 })).toEqual({ a: 1 });
		expect(await parse('')).toEqual({});
		expect(await parse(undefined)).toEqual({});
	});

	test.each(['[1]', '5', 'null', '"x"'])('%s is none', async (raw) => {
		await expect(parse(raw)).rejects.toThrow(says('must be a JSON object'));
	});

	test.each(['__proto__', 'constructor', 'prototype'])("never has a field '%s'", async (name) => {
		await expect(parse(`{ "${name}": 1 }`)).rejects.toThrow(says(`must not have a field called '${name}'`));
	});

	test('has in a form only what a form can hold', async () => {
		expect(asFormFields({ a: 'x', b: 1, c: false, d: ['x', 2, true], e: [] }, ['p'])).toEqual({
			...{ a: 'x', b: 1, c: false, d: ['x', '2', 'true'], e: [] },
		});
		expect(() => asFormFields({ a: { b: 1 } }, ['p'])).toThrow(says("must not have an object or null under 'a'"));
		expect(await refusalOf(() => asFormFields({ a: null }, ['p']))).toMatchObject({ path: ['p'] });
		expect(() => asFormFields({ a: ['x', {}] }, ['p'])).toThrow(
			says(/^must have only texts and numbers in the list 'a'/),
		);
	});

	test('goes into an address only as a text, a number, or yes or no', async () => {
		const query = async (raw: unknown) => await queryParameters().parse(raw, item);
		expect(await query('{ "a": "x", "b": 0, "c": true }')).toEqual({ a: 'x', b: 0, c: true });
		expect(await query('')).toEqual({});
		await expect(query('[]')).rejects.toThrow(says('must be a JSON object'));
		for (const value of ['null', '[]', '{}'])
			await expect(query(`{ "a": ${value} }`)).rejects.toThrow(
				says("must have a text, a number, true or false under 'a'"),
			);
	});
});
