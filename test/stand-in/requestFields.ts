/**
 * Finds the undocumented fields and filter conditions of request bodies. A field counts as documented if it is in the
 * contract or in a file about live deployments. These files mark fields with [C] that only the platform's own web
 * client sends. Such fields count as well.
 */
import lowerFirst from 'lodash/lowerFirst';
import memoize from 'lodash/memoize';
import pickBy from 'lodash/pickBy';
import { isJsonObject, type RouteCall } from './http';
import { getDescription, readShape, getRowShape, type Shape } from './endpointDescriptions';

const PAGING_NOTATION = 'pageNumber: int, pageSize: int, orderBy, ascending: bool, filter';

/**
 * The body fields that the documents describe only in prose, written in the notation of the descriptions. Each pattern
 * matches the method and path of the endpoints that have these fields.
 */
const PROSE_ONLY_FIELDS: ReadonlyArray<[keyPattern: RegExp, notation: string]> = [
	// The password of the sign-in (contract 2.16).
	[/ \/api\/account\/login$/, '{ password }'],
	// The grouping of a SCIM integration (contract 2.13).
	[/^POST \/api\/scim$/, '{ groupBySCIMFieldResourceId }'],
	// The web client also sends this field in the searches for people and for events (deployment activity 1).
	[/-campaign-job-report\/(\{searchType\}\/search\/\{|search-)/, '{ activityType }'],
	// The contract names the smishing searches, but shows none of their fields except paging (contract 4.9).
	[/\/search-email-\w+\/\{resourceId\}$/, `{ ${PAGING_NOTATION} }`],
	// The generic body of exports (deployment activity, "How to read this file"; deployment activity 1).
	[/-campaign-job-report\/\{searchType\}\/search\/export/, '{ activityType }'],
	// The record of a phishing campaign has these fields. The other simulators have the same requests at other paths
	// (deployment beyond, "Campaigns"; deployment behaviour 2).
	[/\/phishing-campaign(-job\/start\/\{resourceId\})?$/, '{ scheduledDate: time, scheduledDateTimeZoneId }'],
	// The web client filters trainings by type (deployment activity 10).
	[/^POST \/api\/trainings\/search$/, '{ trainingSearchType: int, trainingType }'],
];

/** The shape of a condition of a filter (deployment facts, "Requests"; deployment activity 10). */
const CONDITION_SHAPE = readShape('{ fieldName, operator, value, customFieldName, dataType }');
const FILTER_GROUP_FIELDS = new Map<string, Shape>([
	['condition', { kind: 'text' }],
	['filterItems', { kind: 'list', itemShape: CONDITION_SHAPE }],
]);
const FILTER_GROUP_SHAPE: Shape = { kind: 'object', fields: FILTER_GROUP_FIELDS };
// A filter group can contain further groups.
FILTER_GROUP_FIELDS.set('filterGroups', { kind: 'list', itemShape: FILTER_GROUP_SHAPE });
/** The shape of a filter (contract 2.2). */
const FILTER_SHAPE: Shape = {
	kind: 'object',
	fields: new Map<string, Shape>([
		['condition', { kind: 'text' }],
		['searchInputTextValue', { kind: 'text' }],
		['filterGroups', { kind: 'list', itemShape: FILTER_GROUP_SHAPE }],
	]),
};

/**
 * The field names that lists can be filtered by, in addition to the columns of their rows (deployment activity 2, 10).
 */
const EXTRA_FILTER_FIELDS: ReadonlyArray<[keyPattern: RegExp, names: readonly string[]]> = [
	[
		/^POST \/api\/companies\/search/,
		[
			'CompanyName',
			'ResellerName',
			'IndustryResourceId',
			'LicenseTypeResourceId',
			'LicenseEndDate',
			'CreateTime',
			'TargetUserCount',
			'LicenceExpired',
			'MonthlyActiveUser',
		],
	],
	[/^POST \/api\/trainings\/search/, ['languages', 'level', 'category', 'Name']],
	[
		/^POST \/api\/notified-emails\/search/,
		['subject', 'reportedBy', 'SenderIp', 'status', 'result', 'createTime', 'MD5', 'SHA512'],
	],
];

const NO_FIELDS: Shape = { kind: 'object', fields: new Map() };

function findValuesByKey<T>(table: ReadonlyArray<[keyPattern: RegExp, value: T]>, key: string): T[] {
	return table.filter(([keyPattern]) => keyPattern.test(key)).map(([, value]) => value);
}

/**
 * Converts the field names in a shape to camelCase, as in parsed bodies, and gives each field called filter the shape
 * of filters.
 */
function toCamelCaseShape(shape: Shape): Shape {
	if (shape.kind === 'list') return { kind: 'list', itemShape: toCamelCaseShape(shape.itemShape) };
	if (shape.kind !== 'object') return shape;
	const fields = [...shape.fields].map(([name, fieldShape]): [string, Shape] => [
		lowerFirst(name),
		name === 'filter' ? FILTER_SHAPE : toCamelCaseShape(fieldShape),
	]);
	return { kind: 'object', fields: new Map(fields) };
}

/**
 * Finds the documented shape of an endpoint's request body.
 * @returns an object without fields if no document describes the body
 */
export const findBodyShape = memoize((key: string): Shape => {
	const describedShape = getDescription(key)?.requestShape ?? NO_FIELDS;
	if (describedShape.kind !== 'object') return toCamelCaseShape(describedShape);
	const proseFields = findValuesByKey(PROSE_ONLY_FIELDS, key).flatMap((notation) => {
		const shape = readShape(notation);
		return shape.kind === 'object' ? [...shape.fields] : [];
	});
	return toCamelCaseShape({ kind: 'object', fields: new Map([...describedShape.fields, ...proseFields]) });
});

/**
 * Lists the field names that a list can be filtered by, in lower case: the documented ones and the columns of its rows.
 */
export const listFilterFields = memoize((key: string): Set<string> => {
	const shape = getRowShape(key);
	const columns = shape?.kind === 'object' ? [...shape.fields.keys()] : [];
	return new Set([...columns, ...findValuesByKey(EXTRA_FILTER_FIELDS, key).flat()].map((name) => name.toLowerCase()));
});

function isFilterField(key: string, name: unknown): boolean {
	return listFilterFields(key).has(String(name).toLowerCase());
}

/** Lists the paths of the fields and filter conditions in a body that no document describes. */
export function listUndocumentedPaths(key: string, value: unknown, shape = findBodyShape(key), path = ''): string[] {
	if (shape.kind === 'list' && Array.isArray(value))
		return value.flatMap((entry) => listUndocumentedPaths(key, entry, shape.itemShape, path));
	if (shape.kind !== 'object' || !isJsonObject(value)) return [];
	return Object.entries(value).flatMap(([name, part]) => {
		const partPath = [path, name].filter(Boolean).join('.');
		const partShape = shape.fields.get(lowerFirst(name));
		if (!partShape) return [partPath];
		if (shape === CONDITION_SHAPE && name === 'fieldName' && !isFilterField(key, part))
			return [`${partPath} ${String(part)}`];
		return listUndocumentedPaths(key, part, partShape, partPath);
	});
}

/**
 * Removes the fields of a body that no document describes.
 * @param shouldRemoveConditions true to remove undocumented filter conditions, too
 */
function removeUndocumentedValues(key: string, value: unknown, shape: Shape, shouldRemoveConditions: boolean): unknown {
	if (shape.kind === 'list' && Array.isArray(value)) {
		const entries: unknown[] = value;
		return entries
			.filter((entry) => {
				if (!shouldRemoveConditions || shape.itemShape !== CONDITION_SHAPE || !isJsonObject(entry)) return true;
				return isFilterField(key, entry.fieldName);
			})
			.map((entry) => removeUndocumentedValues(key, entry, shape.itemShape, shouldRemoveConditions));
	}
	if (shape.kind !== 'object' || !isJsonObject(value)) return value;
	const keptEntries = Object.entries(value).flatMap(([name, part]): Array<[string, unknown]> => {
		const partShape = shape.fields.get(name);
		return partShape ? [[name, removeUndocumentedValues(key, part, partShape, shouldRemoveConditions)]] : [];
	});
	return Object.fromEntries(keptEntries);
}

/** Combines the JSON, the form fields and the files of a request into one value. */
function combineBody({ json, formFields, files }: RouteCall): unknown {
	if (json !== undefined) return json;
	return { ...formFields, ...Object.fromEntries(files.map(({ field }) => [lowerFirst(field), null])) };
}

/** Lists the paths of the body fields of a call that no document describes. */
export function listUndocumentedFields(key: string, call: RouteCall): string[] {
	return listUndocumentedPaths(key, combineBody(call));
}

/** Returns a copy of a call without the body fields that no document describes, because live deployments ignore them. */
export function removeUndocumentedFields(key: string, call: RouteCall): RouteCall {
	const shape = findBodyShape(key);
	const { json, formFields, files } = call;
	const isDescribed = (name: string) => shape.kind === 'object' && shape.fields.has(lowerFirst(name));
	return {
		...call,
		// On the contract's platform, the operation itself rejects unknown conditions, so they are kept here.
		json: removeUndocumentedValues(key, json, shape, call.isDeployed),
		formFields: pickBy(formFields, (_values, name) => isDescribed(name)),
		files: files.filter(({ field }) => isDescribed(field)),
	};
}
