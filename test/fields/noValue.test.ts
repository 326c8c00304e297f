/** Tests of words such as 'undefined', which an expression without a value writes: writes refuse them, searches allow them. */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { FormValues } from '../../nodes/core/fields/formValues';
import { InvalidInputError } from '../../nodes/core/http/errors';
import { loadAllOperations } from '../contract/catalogue';
import { parseBody, catchNodeError, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';

const WORDS = ['undefined', 'null', 'NaN', 'Invalid DateTime', '[object Object]'];
const ADVICE = 'An expression probably has no value';

/** Creates the values in which a field may have a word: alone, in a list, in JSON. */
function createValues({ property: { type } }: Field<unknown>, word: string): unknown[] {
	if (type === 'json') return [`{ "a": ["b", "${word}"] }`, { a: word }];
	if (type === 'multiOptions') return [['a', word]];
	if (type === 'resourceLocator') return [word, { mode: 'id', value: word }];
	return [word, ` ${word} `];
}

/** The values of the other fields in a row, by kind of field. */
function fillIn({ property: { type, default: start } }: Field<unknown>): unknown {
	if (type === 'resourceLocator') return { mode: 'id', value: 'x' };
	return type === 'options' ? start : 'x';
}

/** The texts of a form that an expression can fill, each with its path and what puts a value into the form. */
function textsOf(
	form: FieldMap,
): Array<{ path: string; field: Field<unknown>; parameters: (value: unknown) => IDataObject }> {
	return Object.entries(form).flatMap(([name, field]) => {
		const { type, noDataExpression = false, typeOptions } = field.property;
		const shown = mapValues(field.show ?? {}, (values) => values?.[0]) as IDataObject;
		if (!field.innerFields)
			return ['string', 'json', 'multiOptions', 'resourceLocator'].includes(type) && !noDataExpression
				? [{ path: name, field, parameters: (value: unknown) => ({ ...shown, [name]: value }) as IDataObject }]
				: [];
		return textsOf(field.innerFields).map(({ path, field: inner, parameters }) => {
			const wrapped = (value: unknown): IDataObject => {
				const part = parameters(value);
				if (type === 'collection') return part;
				const row = { ...mapValues(field.innerFields, fillIn), ...part };
				return typeOptions?.multipleValues ? { rows: [row] } : { fields: row };
			};
			return {
				path: `${name}.${path}`,
				field: inner,
				parameters: (value: unknown) => ({ ...shown, [name]: wrapped(value) }),
			};
		});
	});
}

/** How a field is refused in a form. */
async function refusalIn(form: FieldMap, name: string, parameters: IDataObject, isWrite: boolean) {
	const item = { timezone: 'UTC', isWrite, upload: async () => Promise.reject(new Error('no file')) };
	const values = await FormValues.read(form, (each) => parameters[each], item);
	try {
		values.get({ [name]: requireValue(form[name]) });
		return undefined;
	} catch (error) {
		return error instanceof InvalidInputError ? error : undefined;
	}
}

test('every text of every operation that changes something refuses these words; no other operation does', async () => {
	const missed: string[] = [];
	let tried = 0;
	for (const { node, operation } of await loadAllOperations()) {
		for (const { path, field, parameters } of textsOf(operation.fields)) {
			const [name = ''] = path.split('.');
			for (const value of WORDS.flatMap((word) => createValues(field, word))) {
				const refusal = await refusalIn(operation.fields, name, parameters(value), !operation.isReadOnly);
				const isRefused = refusal?.advice?.includes(ADVICE) ?? false;
				tried++;
				// IDs with such a word are refused in searches, too.
				const isId = refusal?.complaint.startsWith('must be an ID') ?? false;
				if (isRefused === operation.isReadOnly && !(operation.isReadOnly && isId))
					missed.push(`${node} ${operation.value} ${path} ${JSON.stringify(value)}`);
			}
		}
	}
	expect(tried).toBeGreaterThan(3000);
	expect(missed).toEqual([]);
});

describe('in a node', () => {
	const b = createNodeFixture({ companyCount: 2, profile: 'deployed' });
	const own = { companyScope: 'own' };
	const person = { operation: 'create', ...own, email: 'ada@example.com', phoneNumber: '+49 30 1234567' };

	test.each<[what: string, parameters: IDataObject, message: string]>([
		[
			'a first name',
			{ ...person, additionalFields: { firstName: 'undefined' } },
			"'First Name' in 'Additional Fields' must have a value, but is the word 'undefined'",
		],
		[
			'a word of a last name',
			{ ...person, additionalFields: { lastName: 'Ada [object Object]' } },
			"'Last Name' in 'Additional Fields' must be a name, but has the word '[object Object]'",
		],
		[
			'a word of a department',
			{ ...person, additionalFields: { department: 'Sales-null' } },
			"'Department' in 'Additional Fields' must be a name, but has the word 'null'",
		],
		[
			'a custom field',
			{
				...person,
				additionalFields: { customFields: { rows: [{ customField: { mode: 'id', value: 'x' }, value: 'NaN' }] } },
			},
			"'Value' in 'Custom Fields' in 'Additional Fields' must have a value, but is the word 'NaN'",
		],
		['an address', { ...person, email: 'undefined' }, "'Email' must have a value, but is the word 'undefined'"],
		[
			'a result that is no date',
			{ ...person, additionalFields: { priority: '={{ DateTime.fromISO("x").toString() }}' } },
			"'Priority' in 'Additional Fields' must have a value, but is the word 'Invalid DateTime'",
		],
	])('%s: nothing is sent', async (_what, parameters, message) => {
		const error = await catchNodeError(b.run(SecurityAwarenessTargetUser, parameters));
		expect(error.message).toContain(message);
		expect(error.description).toContain(ADVICE);
		expect(b.requests).toEqual([]);
	});

	test('Null is allowed as a surname, and null as a word in an address or a text that is no name', async () => {
		const names = { firstName: 'Nullah', lastName: 'Null', priority: 'not null', managerEmail: 'jo.null@example.com' };
		await b.run(SecurityAwarenessTargetUser, { ...person, additionalFields: names });
		expect(parseBody(b.requests.at(-1))).toMatchObject(names);
	});

	test('a search can look for such a word', async () => {
		const { items } = await b.run(SecurityAwarenessTargetGroup, {
			operation: 'getMany',
			...own,
			filters: { searchText: 'undefined' },
		});
		expect(items).toEqual([]);
		expect(b.requests).not.toEqual([]);
	});
});
