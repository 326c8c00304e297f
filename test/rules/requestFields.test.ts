/** Checks that the contract or a file about live deployments describes everything that an operation can send. */
import type { Operation } from '../../nodes/core/operation/defineOperation';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { FormValues } from '../../nodes/core/fields/formValues';
import { InvalidInputError } from '../../nodes/core/http/errors';
import type { ApiRequest } from '../../nodes/core/http/request';
import { loadAllOperations } from '../contract/catalogue';
import { listFilterFields, listUndocumentedPaths } from '../stand-in/requestFields';

const SAML_METADATA = '<EntityDescriptor entityID="x"><IDPSSODescriptor/></EntityDescriptor>';
const FILE = { fileName: 'metadata.xml', mimeType: 'text/xml', content: Buffer.from(SAML_METADATA) };
const item = { timezone: 'UTC', readUpload: async () => Promise.resolve(FILE) };
const ID = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

/** The values that are tried for each field, in the form in which n8n saves them. Every type of field accepts at least one of them. */
const CANDIDATE_VALUES: unknown[] = [
	'x',
	'x@example.com',
	'example.com',
	'2031-01-01T09:00:00Z',
	'4',
	4,
	true,
	ID,
	[ID],
	['4'],
	{ mode: 'id', value: ID },
	{ mode: 'id', value: '5' },
	{ mode: 'id', value: 'Europe/Berlin' },
	{ mode: 'id', value: `${ID}/1` },
	'2026-01',
];

/** Finds a value that a field accepts, in the form in which n8n saves it. @returns undefined if there is none */
async function findRawValue(field: Field<unknown>): Promise<unknown> {
	const { innerFields, property } = field;
	if (property.type === 'collection') return {};
	if (innerFields && property.type === 'fixedCollection') {
		const [firstFieldName = ''] = Object.keys(innerFields);
		const row = await findRawValues(innerFields[firstFieldName]?.innerFields ?? innerFields);
		return property.typeOptions?.multipleValues ? { rows: [row] } : { fields: row };
	}
	const optionValues = (property.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	const candidates = property.type === 'options' ? [property.default, ...optionValues] : CANDIDATE_VALUES;
	for (const rawValue of candidates) {
		try {
			const value = await field.parse(rawValue, item);
			if (value !== undefined) return rawValue;
		} catch (error) {
			if (!(error instanceof InvalidInputError) && !(error instanceof TypeError)) throw error;
		}
	}
	return undefined;
}

/** Finds an accepted value for each field. @returns the values by the names of the fields */
async function findRawValues(fields: FieldMap): Promise<Record<string, unknown>> {
	const entries = Object.entries(fields).map(async ([name, field]) => [name, await findRawValue(field)] as const);
	return Object.fromEntries(await Promise.all(entries));
}

/**
 * Creates the requests of an operation: one with all main fields, and one more for each field inside its blocks.
 * @returns the requests, and a message for each form for which no request could be created
 */
async function createRequests(operation: Operation): Promise<{ requests: ApiRequest[]; failures: string[] }> {
	const mainValues = await findRawValues(operation.fields);
	const blockFields = ['additionalFields', 'options', 'filters'].flatMap((block) =>
		Object.entries(operation.fields[block]?.innerFields ?? {}).map(([name, field]) => ({ block, name, field })),
	);
	const forms: Array<{ label: string; rawValues: Record<string, unknown> }> = [
		{ label: 'main', rawValues: mainValues },
	];
	for (const { block, name, field } of blockFields) {
		if (name === 'additionalFieldsJson') continue;
		const rawValue = await findRawValue(field);
		forms.push({ label: name, rawValues: { ...mainValues, [block]: { [name]: rawValue } } });
	}
	const requests: ApiRequest[] = [];
	const failures: string[] = [];
	for (const { label, rawValues } of forms) {
		const form = await FormValues.read(operation.fields, (name) => rawValues[name], item);
		try {
			const request = operation.check(form);
			if (request) requests.push(request);
		} catch (error) {
			if (!(error instanceof InvalidInputError)) throw error;
			// An update that changes no field is rejected on purpose.
			if (error.complaint.startsWith('must have at least one field to change')) continue;
			failures.push(`${operation.name} ${label}: ${error.path.join('.')} ${error.complaint}`);
		}
	}
	return { requests, failures };
}

test('every field of every request is described', async () => {
	const undescribedFields = new Set<string>();
	const allFailures: string[] = [];
	const sentFields = new Set<string>();
	for (const { operation } of await loadAllOperations()) {
		if (operation.endpoint === null) continue;
		const { requests, failures } = await createRequests(operation);
		allFailures.push(...failures);
		for (const { endpoint, body, multipart } of requests) {
			const fields = body ?? multipart ?? {};
			for (const name of Object.keys(fields)) sentFields.add(`${endpoint} ${name}`);
			for (const path of listUndocumentedPaths(endpoint, fields)) undescribedFields.add(`${endpoint}: ${path}`);
		}
	}
	expect([...undescribedFields]).toEqual([]);
	expect(allFailures).toEqual([]);
	expect(sentFields.size).toBeGreaterThan(200);
});

test('every condition that a list offers is described', async () => {
	const conditions: Array<{ endpoint: string; fieldName: string }> = [];
	for (const { operation } of await loadAllOperations()) {
		const rowFields = operation.fields.filters?.innerFields?.fieldFilters?.innerFields;
		const nameField = rowFields?.rows?.innerFields?.field ?? rowFields?.field;
		for (const option of nameField?.property.options ?? [])
			if ('value' in option && option.value !== 'other')
				conditions.push({ endpoint: String(operation.endpoint), fieldName: String(option.value) });
	}
	const undescribedConditions = conditions.filter(
		({ endpoint, fieldName }) => !listFilterFields(endpoint).has(fieldName.toLowerCase()),
	);
	expect(undescribedConditions).toEqual([]);
	expect(conditions.length).toBeGreaterThan(20);
});
