/** Tests of the values that each type of form field accepts, and of the errors for other values. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { emailField, phoneField } from '../../nodes/core/fields/contact';
import {
	toMultipartFields,
	collectionField,
	additionalFieldsJsonField,
	queryParametersField,
} from '../../nodes/core/fields/collection';
import { getFieldLabels, showWhen, type FieldMap } from '../../nodes/core/fields/field';
import {
	fileField,
	choiceField,
	multiChoiceField,
	dateTimeField,
	idField,
	makeOptional,
	textField,
	textListField,
	toggleField,
	wholeNumberField,
} from '../../nodes/core/fields/fieldTypes';
import { readInnerFields } from '../../nodes/core/fields/formValues';
import { describeError } from '../../nodes/core/http/errors';
import { catchNodeError, createNodeFixture, requireValue, type NodeClass } from '../n8n-core/nodeFixture';
import { catchInvalidInput } from './catchInvalidInput';

const options = [
	{ name: 'One', value: '1' },
	{ name: 'Two', value: '2' },
	{ name: 'Three', value: '3' },
] as const;

/** A form with at least one field of each type. */
const form: FieldMap = {
	text: textField({ displayName: 'Text', max: 5 }),
	name: textField({ displayName: 'Name', required: true }),
	texts: textListField({ displayName: 'Texts' }),
	number: wholeNumberField({ displayName: 'Number', default: 1, min: 1, max: 1000 }),
	toggle: toggleField({ displayName: 'Toggle', default: true }),
	choice: choiceField({ displayName: 'Choice', default: '1', options: [...options] }),
	choices: multiChoiceField({ displayName: 'Choices', default: [], options: [...options] }),
	body: additionalFieldsJsonField(),
	query: queryParametersField(),
	date: dateTimeField({ displayName: 'Date' }),
	due: dateTimeField({ displayName: 'Due', required: true }),
	id: idField({ displayName: 'ID' }),
	maybe: makeOptional(idField({ displayName: 'Maybe' })),
	file: fileField({ displayName: 'File' }),
	phone: phoneField({ displayName: 'Phone', max: 20 }),
	email: emailField({ displayName: 'Email', required: true }),
};

const upload = { fileName: 'a.txt', mimeType: 'text/plain', content: Buffer.from('a') };
const itemContext = { timezone: 'America/New_York', readUpload: async () => Promise.resolve(upload) };
const parseField = async (name: string, raw: unknown, fields = form) =>
	(await readInnerFields({ [name]: requireValue(fields[name]) }, () => raw, itemContext))[name];

test.each<[fieldName: string, raw: unknown, value: unknown]>([
	['text', ' a ', ' a '],
	['text', '12345', '12345'],
	['text', '👍👍👍👍👍', '👍👍👍👍👍'],
	['text', 7, '7'],
	['texts', ' a, b\n\nc ,', ['a', 'b', 'c']],
	['texts', '["a, b", "c"]', ['a, b', 'c']],
	['texts', ['a', ['b'], 3], ['a', 'b', '3']],
	['texts', ['', null], []],
	['number', 1, 1],
	['number', ' 1000 ', 1000],
	['number', '007', 7],
	['toggle', true, true],
	['toggle', ' TRUE ', true],
	['toggle', 'false', false],
	['choice', '2', '2'],
	['choice', 2, '2'],
	['choices', ['3', '1'], ['1', '3']],
	['body', '{ "a": [1, null] }', { a: [1, null] }],
	['body', { a: 1 }, { a: 1 }],
	['body', ' ', {}],
	['query', '{ "a": [1, true], "b": "x" }', { a: ['1', 'true'], b: 'x' }],
	// A date without an offset is read in the workflow's time zone. The first example is in winter, the second one in summer.
	['date', '2026-01-31', '2026-01-31T05:00:00.000Z'],
	['date', '2026-07-31 09:30', '2026-07-31T13:30:00.000Z'],
	['date', '2026-01-31T09:00:00+02:00', '2026-01-31T07:00:00.000Z'],
	['date', new Date(0), '1970-01-01T00:00:00.000Z'],
	['date', DateTime.fromISO('2026-01-31T09:00', { zone: 'Asia/Tokyo' }), '2026-01-31T00:00:00.000Z'],
	['date', '', undefined],
	['id', ' a-1 ', 'a-1'],
	['id', 42, '42'],
	['maybe', { mode: 'list', value: '' }, undefined],
	['file', 'data', upload],
	['file', { mimeType: 'text/plain', data: 'YQ==' }, upload],
	['file', '', undefined],
	// A phone number is sent as it was entered, without the characters that copying adds.
	['phone', '+15551234567', '+15551234567'],
	['phone', '+49 (0)30/123-45.67', '+49 (0)30/123-45.67'],
	['phone', '(030)\u00a0123\u201345 x12', '(030)\u00a0123\u201345 x12'],
	['phone', "'+49 30 1234567", '+49 30 1234567'],
	['phone', '\u202a+49 30 1234567\u202c', '+49 30 1234567'],
	['phone', 4915112345678, '4915112345678'],
	['phone', ' ', ''],
	['email', ' mailto:ada@example.com ', 'ada@example.com'],
	['email', 'MAILTO:ada@example.com?subject=Hello', 'ada@example.com'],
	['email', "'ada@example.com", 'ada@example.com'],
	['email', "'ada@example.com'", 'ada@example.com'],
	['email', '\ufeffa\u200bd\u00ada\u2060@example.com\u200e', 'ada@example.com'],
	['email', "o'hara@example.com", "o'hara@example.com"],
])('%s: accepts %j', async (fieldName, raw, value) => {
	expect(await parseField(fieldName, raw)).toEqual(value);
});

// Parts of error messages.
const NO_VALUE = 'must have a value, but has none';
const NOT_ONE_OF = "must be one of '1', '2', '3', but is";
const NOT_A_WHOLE_NUMBER = 'must be a whole number from 1 to 1000, but is';
const NOT_A_DATE = 'must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is';
const CONTROL_CHARACTERS = 'must not contain line breaks or control characters';
const NOT_AN_ID = 'is not an ID: it must not contain / \\ ? # or consist only of dots';
const RESERVED_FIELD_NAME = "'Additional Fields (JSON)' must not have a field called";
const INVALID_QUERY_VALUE =
	"'Query Parameters (JSON)' must have a text, a number, true, false or a list of these under";

test.each<[fieldName: string, raw: unknown, message: string | RegExp]>([
	['text', '123456', "'Text' must have 0 to 5 characters, but has 6"],
	['text', { a: 1 }, "'Text' must be text"],
	['name', '  ', "'Name' must not be empty"],
	['texts', ['a', {}], "'Texts' must be text"],
	['texts', '[a', /^'Texts' must be JSON, but isn't valid: /],
	['number', 0, `'Number' ${NOT_A_WHOLE_NUMBER} '0'`],
	['number', 1001, `'Number' ${NOT_A_WHOLE_NUMBER} '1001'`],
	['number', '1.5', `'Number' ${NOT_A_WHOLE_NUMBER} '1.5'`],
	['number', '0x5', `'Number' ${NOT_A_WHOLE_NUMBER} '0x5'`],
	['number', '1e2', `'Number' ${NOT_A_WHOLE_NUMBER} '1e2'`],
	['number', 'ten', `'Number' ${NOT_A_WHOLE_NUMBER} 'ten'`],
	['number', ' ', `'Number' ${NO_VALUE}`],
	['number', null, `'Number' ${NO_VALUE}`],
	['number', NaN, "'Number' has a number that can't be calculated"],
	['text', Infinity, "'Text' has a number that can't be calculated"],
	['texts', ['a', -Infinity], "'Texts' has a number that can't be calculated"],
	['body', { a: [{ b: NaN }] }, "'Additional Fields (JSON)' has a number that can't be calculated"],
	['text', null, `'Text' ${NO_VALUE}`],
	['texts', [null], `'Texts' ${NO_VALUE}`],
	['toggle', '', `'Toggle' ${NO_VALUE}`],
	['number', true, `'Number' ${NOT_A_WHOLE_NUMBER} 'true'`],
	['number', [5], `'Number' ${NOT_A_WHOLE_NUMBER} a list`],
	['toggle', 'yes', "'Toggle' must be true or false, but is 'yes'"],
	['toggle', 1, "'Toggle' must be true or false, but is '1'"],
	['choice', '4', `'Choice' ${NOT_ONE_OF} '4'`],
	['choice', 'x'.repeat(50), `'Choice' ${NOT_ONE_OF} '${'x'.repeat(40)}…'`],
	['choice', {}, `'Choice' ${NOT_ONE_OF} an object`],
	['choices', [], "'Choices' must have at least one choice"],
	['choices', '1', "'Choices' must have at least one choice"],
	['choices', ['1', '4'], "'Choices' has '4', but accepts only these values: '1', '2', '3'"],
	['body', '{ "a": }', /^'Additional Fields \(JSON\)' must be JSON, but isn't valid: /],
	['body', '[1]', "'Additional Fields (JSON)' must be a JSON object"],
	['body', 'null', "'Additional Fields (JSON)' must be a JSON object"],
	['body', '{ "__proto__": 1 }', `${RESERVED_FIELD_NAME} '__proto__'`],
	['query', '{ "a": { "b": 1 } }', `${INVALID_QUERY_VALUE} 'a'`],
	['query', '{ "a": null }', `${INVALID_QUERY_VALUE} 'a'`],
	['date', '2026-02-30', `'Date' ${NOT_A_DATE} '2026-02-30'`],
	['date', '31.12.2024', `'Date' ${NOT_A_DATE} '31.12.2024'`],
	['date', 'next week', `'Date' ${NOT_A_DATE} 'next week'`],
	['date', 1767225600000, `'Date' ${NOT_A_DATE} '1767225600000'`],
	['date', new Date(NaN), `'Date' ${NOT_A_DATE} an object`],
	['due', '', "'Due' must not be empty"],
	['due', null, "'Due' must not be empty"],
	['id', '', "'ID' must not be empty"],
	['id', '..', `'ID' ${NOT_AN_ID}`],
	['id', '../roles', `'ID' ${NOT_AN_ID}`],
	['id', 'a\\b', `'ID' ${NOT_AN_ID}`],
	['id', 'a?all=true', `'ID' ${NOT_AN_ID}`],
	['id', 'a#b', `'ID' ${NOT_AN_ID}`],
	['id', 'a\n', `'ID' ${CONTROL_CHARACTERS}`],
	['id', 'a\u0000b', `'ID' ${CONTROL_CHARACTERS}`],
	['id', 'a\u2028b', `'ID' ${CONTROL_CHARACTERS}`],
	['id', 'x'.repeat(257), "'ID' must have at most 256 characters, but has 257"],
	['id', {}, "'ID' must be an ID"],
	['file', ['a'], "'File' must be text"],
	...['4.91511E+12', '#N/A', '-', '+49undefined', '+', '+49 30 1 / +49 30 2', '1234567890123456', 'call me'].map(
		(phone): [string, unknown, string] => [
			'phone',
			phone,
			`'Phone' must be a phone number such as +49 30 1234567, but is '${phone}'`,
		],
	),
	['phone', '+49 30 1234567 / 12345', "'Phone' must have 0 to 20 characters, but has 22"],
	['email', "\u200b'", "'Email' must not be empty"],
])('%s: rejects %j with an error that names the field', async (fieldName, raw, message) => {
	const error = await catchInvalidInput(async () => parseField(fieldName, raw));
	const text = describeError(error, { purpose: 'test', getLabels: (path) => getFieldLabels(form, path) });
	expect(text.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
	expect(text.description).not.toBe('');
});

test('the error for a reserved field name says to leave the field out', async () => {
	const error = await catchInvalidInput(async () => parseField('body', '{ "constructor": 1 }'));
	expect(describeError(error, { purpose: 'test' }).description).toContain('Remove this field');
});

test('in a block, only the added fields are parsed, and an error names the field and the block', async () => {
	const due = requireValue(form.due);
	const number = requireValue(form.number);
	const toggle = requireValue(form.toggle);
	const fields: FieldMap = {
		block: collectionField({ displayName: 'Options', fields: { due, number, toggle } }),
	};
	expect(await parseField('block', { toggle: 'true' }, fields)).toEqual({ toggle: true });
	const error = await catchInvalidInput(async () => parseField('block', { due: '' }, fields));
	const text = describeError(error, { purpose: 'test', getLabels: (path) => getFieldLabels(fields, path) });
	expect(text).toEqual({
		message: "'Due' in 'Options' must not be empty",
		description: 'Enter a date, or remove the field.',
	});
});

test('a hidden field has no value, even if one is saved in it', async () => {
	const fields: FieldMap = {
		choice: requireValue(form.choice),
		number: showWhen({ choice: ['1'] }, requireValue(form.number)),
	};
	const raw: IDataObject = { choice: '2', number: 0 };
	expect(await readInnerFields(fields, (name) => raw[name], itemContext)).toEqual({ choice: '2' });
	await catchInvalidInput(async () => readInnerFields(fields, (name) => ({ ...raw, choice: '1' })[name], itemContext));
});

describe('in a node, nothing is sent for', () => {
	const fixture = createNodeFixture({ companyCount: 3 });
	const enrollment: IDataObject = {
		operation: 'create',
		companyScope: 'own',
		training: { mode: 'id', value: 't' },
		name: 'Spring',
		targetGroups: ['g'],
	};
	const buildCompanyForm = (value: string): IDataObject => ({
		operation: 'getMany',
		companyScope: 'one',
		company: { mode: 'id', value },
	});
	const buildGroupForm = (value: string): IDataObject => ({ operation: 'get', companyGroup: { mode: 'id', value } });

	test.each<[input: string, node: NodeClass, parameters: IDataObject, message: string]>([
		['Limit 0', SecurityAwarenessCompany, { operation: 'getMany', limit: 0 }, "'Limit' must be a whole number"],
		[
			'Page Size 0',
			SecurityAwarenessCompany,
			{ operation: 'getMany', options: { pageSize: 0 } },
			"'Page Size' in 'Options' must be a whole number from 1",
		],
		[
			'a due date that was added to an update and left empty',
			SecurityAwarenessEnrollment,
			{ ...enrollment, operation: 'update', enrollment: { mode: 'id', value: 'e' }, additionalFields: { dueDate: '' } },
			"'Due Date' in 'Update Fields' must not be empty",
		],
		[
			'a due date that is not a date',
			SecurityAwarenessEnrollment,
			{ ...enrollment, dueDate: 'in two weeks' },
			"'Due Date' must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is 'in two weeks'",
		],
		[
			'a due date before the start',
			SecurityAwarenessEnrollment,
			{ ...enrollment, dueDate: '2031-02-01', additionalFields: { scheduledDate: '2031-02-02' } },
			"'Due Date' must not be before the start date",
		],
		[
			'an ID with a line break',
			SecurityAwarenessCompanyGroup,
			buildGroupForm('a\r\nb'),
			`'Company Group' ${CONTROL_CHARACTERS}`,
		],
		[
			'a line break in the company header',
			SecurityAwarenessTargetGroup,
			buildCompanyForm('a\r\nX-More: 1'),
			`'Company' ${CONTROL_CHARACTERS}`,
		],
		[
			'letters that a header cannot have',
			SecurityAwarenessTargetGroup,
			buildCompanyForm('Bäckerei'),
			"'Company' must contain only ASCII characters, such as letters without accents, digits and hyphens",
		],
	])('%s', async (_input, node, parameters, message) => {
		expect((await catchNodeError(fixture.run(node, parameters))).message).toContain(message);
		expect(fixture.requests).toEqual([]);
	});

	test('an ID with ../, which is only looked up as a name', async () => {
		const error = await catchNodeError(fixture.run(SecurityAwarenessCompanyGroup, buildGroupForm('../companies')));
		expect(error.message).toContain("'Company Group' is '../companies', but no company group has that name");
		expect(fixture.requests.map(({ route }) => route)).toEqual(['POST /api/company-groups/search']);
	});
});

test.each([[[1, {}]], [['a', null]], [{ a: 1 }], [null]])('%j is rejected in a form or a query', (value) => {
	expect(() => toMultipartFields({ field: value }, [])).toThrow("under 'field'");
});
