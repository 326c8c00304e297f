/**
 * Tests of words such as 'undefined', which an expression returns if the data that it refers to is missing. Operations that change data
 * reject these words; searches accept them.
 */
import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { FormValues } from '../../nodes/core/fields/formValues';
import { InvalidInputError } from '../../nodes/core/http/errors';
import { parseBody, catchNodeError, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';
import { listFieldKinds } from './fieldKinds';

const MISSING_VALUE_WORDS = ['undefined', 'null', 'NaN', 'Invalid DateTime', '[object Object]'];
const EXPECTED_ADVICE = 'An expression probably has no value';

/** Creates raw values for a field that contain the word: as the whole value, in a list or in JSON, depending on the field's type. */
function createRawValues({ property: { type } }: Field<unknown>, word: string): unknown[] {
	if (type === 'json') return [`{ "a": ["b", "${word}"] }`, { a: word }];
	if (type === 'multiOptions') return [['a', word]];
	if (type === 'resourceLocator') return [word, { mode: 'id', value: word }];
	return [word, ` ${word} `];
}

/** Creates a valid raw value for another field in the same row or group. */
function createFilledValue({ property: { type, default: defaultValue } }: Field<unknown>): unknown {
	if (type === 'resourceLocator') return { mode: 'id', value: 'x' };
	return type === 'options' ? defaultValue : 'x';
}

/**
 * Finds the text fields of a form that allow expressions, including inner fields. `buildForm` builds the raw values of the whole form from
 * the raw value of the found field.
 */
function findTextFields(
	form: FieldMap,
): Array<{ path: string; field: Field<unknown>; buildForm: (value: unknown) => IDataObject }> {
	return Object.entries(form).flatMap(([name, field]) => {
		const { type, noDataExpression = false, typeOptions } = field.property;
		const valuesOfOtherFields = mapValues(field.displayConditions ?? {}, (values) => values?.[0]) as IDataObject;
		if (!field.innerFields) {
			const hasText = ['string', 'json', 'multiOptions', 'resourceLocator'].includes(type);
			if (!hasText || noDataExpression) return [];
			const buildForm = (value: unknown) => ({ ...valuesOfOtherFields, [name]: value }) as IDataObject;
			return [{ path: name, field, buildForm }];
		}
		return findTextFields(field.innerFields).map(({ path, field: innerField, buildForm }) => {
			const wrapValue = (value: unknown): IDataObject => {
				const innerValues = buildForm(value);
				if (type === 'collection') return innerValues;
				const row = { ...mapValues(field.innerFields, createFilledValue), ...innerValues };
				return typeOptions?.multipleValues ? { rows: [row] } : { fields: row };
			};
			return {
				path: `${name}.${path}`,
				field: innerField,
				buildForm: (value: unknown) => ({ ...valuesOfOtherFields, [name]: wrapValue(value) }),
			};
		});
	});
}

/** Parses a form. @returns the error if the field with this name is rejected, otherwise undefined */
async function findRejection(form: FieldMap, name: string, parameters: IDataObject, isWrite: boolean) {
	const itemContext = { timezone: 'UTC', isWrite, readUpload: async () => Promise.reject(new Error('no file')) };
	const values = await FormValues.read(form, (key) => parameters[key], itemContext);
	try {
		values.get({ [name]: requireValue(form[name]) });
		return undefined;
	} catch (error) {
		return error instanceof InvalidInputError ? error : undefined;
	}
}

test('every kind of text field of an operation that changes data rejects these words; other operations accept them', async () => {
	const failures: string[] = [];
	let testedValueCount = 0;
	for (const { node, key, operation, name, field: outerField } of await listFieldKinds()) {
		for (const { path, field, buildForm } of findTextFields({ [name]: outerField })) {
			for (const value of MISSING_VALUE_WORDS.flatMap((word) => createRawValues(field, word))) {
				const rejection = await findRejection(operation.fields, name, buildForm(value), !operation.isReadOnly);
				const isRejected = rejection?.advice?.includes(EXPECTED_ADVICE) ?? false;
				testedValueCount++;
				// Searches reject such a word as an ID as well.
				const isRejectedId = rejection?.complaint.startsWith('must be an ID') ?? false;
				if (isRejected === operation.isReadOnly && !(operation.isReadOnly && isRejectedId))
					failures.push(`${node} ${key} ${path} ${JSON.stringify(value)}`);
			}
		}
	}
	expect(testedValueCount).toBeGreaterThan(1000);
	expect(failures).toEqual([]);
});

describe('in a node', () => {
	const fixture = createNodeFixture({ companyCount: 2, profile: 'deployed' });
	const ownCompany = { companyScope: 'own' };
	const personForm = { operation: 'create', ...ownCompany, email: 'ada@example.com', phoneNumber: '+49 30 1234567' };

	test.each<[input: string, parameters: IDataObject, message: string]>([
		[
			'a first name',
			{ ...personForm, additionalFields: { firstName: 'undefined' } },
			"'First Name' in 'Additional Fields' must have a value, but is the word 'undefined'",
		],
		[
			'a word of a last name',
			{ ...personForm, additionalFields: { lastName: 'Ada [object Object]' } },
			"'Last Name' in 'Additional Fields' must be a name, but has the word '[object Object]'",
		],
		[
			'a word of a department',
			{ ...personForm, additionalFields: { department: 'Sales-null' } },
			"'Department' in 'Additional Fields' must be a name, but has the word 'null'",
		],
		[
			'a custom field',
			{
				...personForm,
				additionalFields: { customFields: { rows: [{ customField: { mode: 'id', value: 'x' }, value: 'NaN' }] } },
			},
			"'Value' in 'Custom Fields' in 'Additional Fields' must have a value, but is the word 'NaN'",
		],
		['an address', { ...personForm, email: 'undefined' }, "'Email' must have a value, but is the word 'undefined'"],
		[
			'a result that is no date',
			{ ...personForm, additionalFields: { priority: '={{ DateTime.fromISO("x").toString() }}' } },
			"'Priority' in 'Additional Fields' must have a value, but is the word 'Invalid DateTime'",
		],
	])('rejects %s and sends nothing', async (_input, parameters, message) => {
		const error = await catchNodeError(fixture.run(SecurityAwarenessTargetUser, parameters));
		expect(error.message).toContain(message);
		expect(error.description).toContain(EXPECTED_ADVICE);
		expect(fixture.requests).toEqual([]);
	});

	test('Null is accepted as a surname, and null as a word in an address or a text that is not a name', async () => {
		const acceptedFields = {
			firstName: 'Nullah',
			lastName: 'Null',
			priority: 'not null',
			managerEmail: 'jo.null@example.com',
		};
		await fixture.run(SecurityAwarenessTargetUser, { ...personForm, additionalFields: acceptedFields });
		expect(parseBody(fixture.requests.at(-1))).toMatchObject(acceptedFields);
	});

	test('null is accepted as a word in a user name that is an address', async () => {
		const username = 'jo.null@example.com';
		await fixture.run(SecurityAwarenessAccount, { operation: 'login', username, password: 'x' }).catch(() => undefined);
		expect(parseBody(fixture.requests.at(-1))).toMatchObject({ username });
	});

	test('a search accepts such a word', async () => {
		const { items } = await fixture.run(SecurityAwarenessTargetGroup, {
			operation: 'getMany',
			...ownCompany,
			filters: { searchText: 'undefined' },
		});
		expect(items).toEqual([]);
		expect(fixture.requests).not.toEqual([]);
	});
});
