/** Checks that the contract or a file about live deployments describes everything that an operation can send. */
import type { Operation } from '../../nodes/core/operation/defineOperation';
import type { Field, FieldMap } from '../../nodes/core/fields/field';
import { FormValues } from '../../nodes/core/fields/formValues';
import { InvalidInputError } from '../../nodes/core/http/errors';
import type { ApiRequest } from '../../nodes/core/http/request';
import { loadAllOperations } from '../contract/catalogue';
import { listFilterNames, listUndescribed } from '../stand-in/requestFields';

const METADATA = '<EntityDescriptor entityID="x"><IDPSSODescriptor/></EntityDescriptor>';
const FILE = { fileName: 'metadata.xml', mimeType: 'text/xml', content: Buffer.from(METADATA) };
const item = { timezone: 'UTC', upload: async () => Promise.resolve(FILE) };
const ID = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

/** Raw values to try: one of them fits each kind of field. */
const CANDIDATES: unknown[] = [
	'x',
	'x@example.com',
	'2031-01-01T09:00:00Z',
	'5',
	5,
	true,
	ID,
	[ID],
	['5'],
	{ mode: 'id', value: ID },
	{ mode: 'id', value: '5' },
	{ mode: 'id', value: 'Europe/Berlin' },
	{ mode: 'id', value: `${ID}/1` },
	'2026-01',
];

/** Finds a raw value that a field accepts. @returns undefined if it accepts none */
async function findRaw(field: Field<unknown>): Promise<unknown> {
	const { innerFields: inner, property } = field;
	if (property.type === 'collection') return {};
	if (inner && property.type === 'fixedCollection') {
		const [name = ''] = Object.keys(inner);
		const row = await findRaws(inner[name]?.innerFields ?? inner);
		return property.typeOptions?.multipleValues ? { rows: [row] } : { fields: row };
	}
	const choices = (property.options ?? []).flatMap((option) => ('value' in option ? [option.value] : []));
	for (const raw of property.type === 'options' ? [property.default, ...choices] : CANDIDATES) {
		try {
			const value = await field.parse(raw, item);
			if (value !== undefined) return raw;
		} catch (error) {
			if (!(error instanceof InvalidInputError) && !(error instanceof TypeError)) throw error;
		}
	}
	return undefined;
}

async function findRaws(fields: FieldMap): Promise<Record<string, unknown>> {
	const entries = Object.entries(fields).map(async ([name, field]) => [name, await findRaw(field)] as const);
	return Object.fromEntries(await Promise.all(entries));
}

/** Creates the requests of an operation: one with all main fields, and one more for each field of its blocks. */
async function createRequests(operation: Operation): Promise<{ requests: ApiRequest[]; untried: string[] }> {
	const main = await findRaws(operation.fields);
	const blocks = ['additionalFields', 'options', 'filters'].flatMap((block) =>
		Object.entries(operation.fields[block]?.innerFields ?? {}).map(([name, field]) => ({ block, name, field })),
	);
	const forms: Array<{ label: string; raw: Record<string, unknown> }> = [{ label: 'main', raw: main }];
	for (const { block, name, field } of blocks) {
		if (name === 'additionalFieldsJson') continue;
		const raw = await findRaw(field);
		forms.push({ label: name, raw: { ...main, [block]: { [name]: raw } } });
	}
	const requests: ApiRequest[] = [];
	const untried: string[] = [];
	for (const { label, raw } of forms) {
		const form = await FormValues.read(operation.fields, (name) => raw[name], item);
		try {
			const request = operation.check(form);
			if (request) requests.push(request);
		} catch (error) {
			if (!(error instanceof InvalidInputError)) throw error;
			// An update without a field is refused, as it should be.
			if (error.complaint.startsWith('has no field')) continue;
			untried.push(`${operation.name} ${label}: ${error.path.join('.')} ${error.complaint}`);
		}
	}
	return { requests, untried };
}

test('every field of every request is described', async () => {
	const surplus: string[] = [];
	const untried: string[] = [];
	const sent = new Set<string>();
	for (const { operation } of await loadAllOperations()) {
		if (operation.endpoint === null) continue;
		const tried = await createRequests(operation);
		untried.push(...tried.untried);
		for (const { endpoint, body, multipart: form } of tried.requests) {
			for (const name of Object.keys(body ?? form ?? {})) sent.add(`${endpoint} ${name}`);
			for (const path of listUndescribed(endpoint, body ?? form ?? {})) surplus.push(`${endpoint}: ${path}`);
		}
	}
	expect([...new Set(surplus)]).toEqual([]);
	expect(untried).toEqual([]);
	expect(sent.size).toBeGreaterThan(200);
});

test('every condition that a list offers is described', async () => {
	const all: string[] = [];
	for (const { operation } of await loadAllOperations()) {
		const rows = operation.fields.filters?.innerFields?.fieldFilters?.innerFields;
		const options = (rows?.rows?.innerFields?.field ?? rows?.field)?.property.options ?? [];
		for (const option of options)
			if ('value' in option && option.value !== 'other') all.push(`${operation.endpoint} | ${String(option.value)}`);
	}
	const wrong = all.filter((each) => {
		const [key = '', name = ''] = each.split(' | ');
		return !listFilterNames(key).has(name.toLowerCase());
	});
	expect(wrong).toEqual([]);
	expect(all.length).toBeGreaterThan(20);
});
