/** The import of people from a file: an upload, a mapping of its columns, a check of its rows, the import (deployment beyond). */
import { z } from 'zod';
import { contentOf } from '../body';
import { check, found, invalid } from '../envelope';
import { parseCsv } from '../files';
import { beside, ok, reading, writing, type Answer, type Call, type Route, type Row } from '../http';
import type { World } from '../world';
import { strictSearch, type StrictListing } from './lists';
import { add } from './target-users';

interface Upload {
	transactionId: string;
	jobId: string;
	names: string[];
	/** The rows of the file, each once. */
	lines: string[][];
	rowCount: number;
	/** The rows as they were mapped; none before that. */
	rows: Row[];
	/** How often it or its job was asked for since then: the check takes some time. */
	asked: number;
}

/** How often one must ask until all rows are checked. */
const ASKED = 3;

/** Of each world, by company and transaction. A reset forgets them, as if they had expired. */
const uploads = new WeakMap<World, Map<string, Upload>>();

function uploadsOf({ world }: Call): Map<string, Upload> {
	const all = uploads.get(world) ?? new Map<string, Upload>();
	uploads.set(world, all);
	return all;
}

const keyOf = ({ home }: Call, transactionId = '') => `${home.company.companyResourceId} ${transactionId}`;

const uploadOf = (call: Call, transactionId: string | undefined): Upload =>
	found(uploadsOf(call).get(keyOf(call, transactionId)), 'transaction');

/** Returns true for a stand-in of an Excel file: the first bytes of a ZIP archive, with the cells as CSV text after them. */
const isWorkbook = (file: Buffer) => file.toString('hex', 0, 4) === '504b0304';

function upload(call: Call): Row {
	const part = call.files.find(({ field }) => field.toLowerCase() === 'file');
	if (!part) throw invalid('The File field is required.');
	const file = contentOf(part);
	const content = (isWorkbook(file) ? file.subarray(4) : file).toString('utf8');
	const [names = [], ...lines] = parseCsv(content.replace(/\r?\n/g, '\r\n'));
	const once = [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
	const transactionId = call.world.newId('upload');
	const made: Upload = {
		transactionId,
		jobId: call.world.newId('mapping job'),
		names,
		lines: once,
		rowCount: lines.length,
		rows: [],
		asked: 0,
	};
	uploadsOf(call).set(keyOf(call, transactionId), made);
	const { rowCount } = made;
	return { transactionId, rowCount, columnCount: names.length, duplicateCount: rowCount - once.length };
}

const columns = ({ names, lines }: Upload): Row => ({
	fileType: 'csv',
	sheetNames: [],
	data: lines.slice(0, 5),
	fileFieldNames: names,
});

const mapping = z.object({
	transactionId: z.string(),
	targetGroupResourceIds: z.array(z.string()).nullish(),
	fieldMappings: z.array(z.object({ excelColumnName: z.string(), fieldName: z.string() })),
});

const FIELDS = ['email', 'phoneNumber', 'firstName', 'lastName', 'department', 'priority'];
const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
const emailOf = (row: Row) => textOf(row.email).toLowerCase();

function problems(row: Row, isKnown: boolean): Row[] {
	return [
		...(/^[^\s@]+@[^\s@]+$/.test(textOf(row.email)) ? [] : [{ field: 'email', message: 'It is no e-mail address.' }]),
		...(textOf(row.phoneNumber) === '' ? [{ field: 'phoneNumber', message: 'It is required.' }] : []),
		...(isKnown ? [{ field: 'email', message: 'Another row has it.' }] : []),
	];
}

function map(call: Call): Row {
	const { transactionId, targetGroupResourceIds, fieldMappings } = check(mapping, call.json);
	const there = uploadOf(call, transactionId);
	const places = fieldMappings.map(({ excelColumnName, fieldName }) => {
		const at = there.names.indexOf(excelColumnName);
		if (at < 0) throw invalid(`The file has no column '${excelColumnName}'.`);
		return { at, fieldName };
	});
	const known = new Set<string>();
	there.asked = 0;
	there.rows = there.lines.map((line, index) => {
		const row: Row = Object.fromEntries(places.map(({ at, fieldName }) => [fieldName, line[at] ?? '']));
		const validationDetail = problems(row, known.has(emailOf(row)));
		known.add(emailOf(row));
		return {
			resourceId: call.world.makeId(`row ${transactionId} ${index}`),
			transactionId,
			validationDetail,
			...Object.fromEntries(FIELDS.map((name) => [name, row[name] ?? null])),
			customFields: [],
			createTime: '2025-05-01T08:00:00.000Z',
			updateTime: '2025-05-01T08:00:00.000Z',
			status: validationDetail.length > 0 ? 'Invalid' : 'Valid',
			timeZone: null,
			preferredLanguage: null,
			groups: targetGroupResourceIds ?? [],
		};
	});
	return { resourceId: there.jobId, status: 'Processing' };
}

const isValid = ({ validationDetail }: Row) => Array.isArray(validationDetail) && validationDetail.length === 0;

/** The rows that were checked so far. */
const checkedOf = ({ rows, asked }: Upload) => rows.slice(0, Math.ceil((rows.length * Math.min(asked, ASKED)) / ASKED));

/** Whether a person has the address of a row. */
const isThere = ({ home }: Call) => {
	const addresses = new Set(home.users.map(({ email }) => email.toLowerCase()));
	return (row: Row) => addresses.has(emailOf(row));
};

const ROWS: StrictListing = {
	rows: (call) => checkedOf(uploadOf(call, call.params.transactionId)).map(({ groups: _groups, ...row }) => row),
	id: 'resourceId',
	name: 'email',
	required: 'pages',
	filter: 'optional',
	sorts: ['Email', 'FirstName', 'LastName', 'Department', 'CreateTime', 'UpdateTime', 'Status'],
};

const rowSearch = strictSearch('POST /api/target-users/{transactionId}/search', ROWS);

async function listed(call: Call): Promise<Answer> {
	const there = uploadsOf(call).get(keyOf(call, call.params.transactionId));
	if (there) there.asked++;
	const answer = await rowSearch.handle(call);
	if (!there || !('data' in answer)) return answer;
	const checked = checkedOf(there);
	const valid = checked.filter(isValid);
	const existing = valid.filter(isThere(call));
	return ok({
		status: checked.length < there.rows.length ? 'Processing' : 'Completed',
		message: null,
		items: answer.data,
		newUserCount: valid.length - existing.length,
		existingUserCount: existing.length,
		invalidUserCount: checked.length - valid.length,
	});
}

const importBody = z.object({
	importType: z.enum(['All', 'Selected']),
	selectedResourceIds: z.array(z.string()).nullish(),
});

/** Adds those who are not there yet. */
function importRows(call: Call): Row {
	const { importType, selectedResourceIds } = check(importBody, call.json);
	const { rows } = uploadOf(call, call.params.transactionId);
	const wanted = rows.filter((row) => importType === 'All' || selectedResourceIds?.includes(textOf(row.resourceId)));
	const isKnown = isThere(call);
	for (const { groups, ...row } of wanted.filter(isValid))
		if (!isKnown(row)) add(call, { ...row, customFields: [], targetGroupResourceIds: groups });
	return { resourceId: call.params.transactionId };
}

export function targetUserImportRoutes(): Route[] {
	const path = '/api/target-users';
	const posting = (key: string, answer: (call: Call) => Row): Route => ({
		...writing(key, () => ''),
		handle: (call) => ok(answer(call)),
	});
	return [
		{ ...posting(`POST ${path}/upload`, upload), takes: 'multipart' as const },
		reading(`GET ${path}/upload/{transactionId}`, (call) => columns(uploadOf(call, call.params.transactionId))),
		posting(`POST ${path}/create-mapping`, map),
		reading(`GET ${path}/mapping-job/{resourceId}`, (call) => {
			const there = [...uploadsOf(call).values()].find(({ jobId }) => jobId === call.params.resourceId);
			return { status: ++found(there, 'mapping job').asked < ASKED ? 'Processing' : 'Completed' };
		}),
		{ key: rowSearch.key, access: 'any' as const, takes: 'json' as const, handle: listed },
		posting(`POST ${path}/{transactionId}/import`, importRows),
	].map(beside);
}
