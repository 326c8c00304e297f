/**
 * The body fields that the documents describe for each request: those of the contract, of every file about live deployments,
 * and those that the platforms' own front end was seen to send ([C]).
 */
import lowerFirst from 'lodash/lowerFirst';
import memoize from 'lodash/memoize';
import pickBy from 'lodash/pickBy';
import { isRow, type Call } from './http';
import { description, readShape, rowShape, type Shape } from './shapes';

const PAGE = 'pageNumber: int, pageSize: int, orderBy, ascending: bool, filter';

/** The fields that only prose describes, in the notation of the descriptions. The pattern of each pair matches endpoints. */
const IN_PROSE: ReadonlyArray<[keys: RegExp, notation: string]> = [
	// "The credential accompanying the username is described as a password" (contract 2.16).
	[/ \/api\/account\/login$/, '{ password }'],
	// Contract 2.13.
	[/^POST \/api\/scim$/, '{ groupBySCIMFieldResourceId }'],
	// The client sends it in the searches for people and for events, too (deployment activity, 1 [C]).
	[/-campaign-job-report\/(\{searchType\}\/search\/\{|search-)/, '{ activityType }'],
	// The smishing searches by the contract's names (contract 4.9); their fields beyond paging are not shown.
	[/\/search-email-\w+\/\{resourceId\}$/, `{ ${PAGE} }`],
	// The generic body of exports (deployment activity, introduction and 1).
	[/-campaign-job-report\/\{searchType\}\/search\/export/, '{ activityType }'],
	// The record of a phishing campaign has them, and the requests of the other simulators, which are the same by their base path
	// (deployment beyond; deployment behaviour, 2).
	[/\/phishing-campaign(-job\/start\/\{resourceId\})?$/, '{ scheduledDate: time, scheduledDateTimeZoneId }'],
	// Deployment activity, 10 [C].
	[/^POST \/api\/trainings\/search$/, '{ trainingSearchType: int, trainingType }'],
];

/** A condition of a filter (deployment facts, "Requests"; deployment activity, 10). */
const ITEM = readShape('{ fieldName, operator, value, customFieldName, dataType }');
const GROUP_FIELDS = new Map<string, Shape>([
	['condition', { kind: 'text' }],
	['filterItems', { kind: 'list', of: ITEM }],
]);
const GROUP: Shape = { kind: 'object', fields: GROUP_FIELDS };
// A group can have groups.
GROUP_FIELDS.set('filterGroups', { kind: 'list', of: GROUP });
/** A filter (contract 2.2). */
const FILTER: Shape = {
	kind: 'object',
	fields: new Map<string, Shape>([
		['condition', { kind: 'text' }],
		['searchInputTextValue', { kind: 'text' }],
		['filterGroups', { kind: 'list', of: GROUP }],
	]),
};

/** The names by which lists can be filtered (deployment activity, 2 and 10 [C]), in addition to the columns of their rows. */
const FILTER_NAMES: ReadonlyArray<[keys: RegExp, names: readonly string[]]> = [
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

const matching = <T>(table: ReadonlyArray<[keys: RegExp, value: T]>, key: string): T[] =>
	table.filter(([keys]) => keys.test(key)).map(([, value]) => value);

/** Puts the names of a shape in camelCase, in which bodies are compared, and adds the parts of a filter. */
function toCamelCase(shape: Shape): Shape {
	if (shape.kind === 'list') return { kind: 'list', of: toCamelCase(shape.of) };
	if (shape.kind !== 'object') return shape;
	const fields = [...shape.fields].map(([name, of]): [string, Shape] => [
		lowerFirst(name),
		name === 'filter' ? FILTER : toCamelCase(of),
	]);
	return { kind: 'object', fields: new Map(fields) };
}

/** Finds the shape of a request's body in the documents. @returns an object without fields if they describe none */
export const bodyShape = memoize((key: string): Shape => {
	const described = description(key)?.request ?? NO_FIELDS;
	if (described.kind !== 'object') return toCamelCase(described);
	const inProse = matching(IN_PROSE, key).flatMap((notation) => {
		const shape = readShape(notation);
		return shape.kind === 'object' ? [...shape.fields] : [];
	});
	return toCamelCase({ kind: 'object', fields: new Map([...described.fields, ...inProse]) });
});

/** Returns the names by which a list can be filtered, in small letters: the documented names, and the columns of its rows. */
export const filterNames = memoize((key: string): Set<string> => {
	const shape = rowShape(key);
	const columns = shape?.kind === 'object' ? [...shape.fields.keys()] : [];
	return new Set([...columns, ...matching(FILTER_NAMES, key).flat()].map((name) => name.toLowerCase()));
});

const isFilterName = (key: string, name: unknown) => filterNames(key).has(String(name).toLowerCase());

/** Lists the parts of a body that no document describes, by their paths. */
export function listUndescribed(key: string, value: unknown, shape = bodyShape(key), path = ''): string[] {
	if (shape.kind === 'list' && Array.isArray(value))
		return value.flatMap((entry) => listUndescribed(key, entry, shape.of, path));
	if (shape.kind !== 'object' || !isRow(value)) return [];
	return Object.entries(value).flatMap(([name, part]) => {
		const inner = [path, name].filter(Boolean).join('.');
		const of = shape.fields.get(lowerFirst(name));
		if (!of) return [inner];
		if (shape === ITEM && name === 'fieldName' && !isFilterName(key, part)) return [`${inner} ${String(part)}`];
		return listUndescribed(key, part, of, inner);
	});
}

/** Removes the parts of a body that no document describes. @param areConditionsIgnored whether to remove such conditions, too */
function removeUndescribed(key: string, value: unknown, shape: Shape, areConditionsIgnored: boolean): unknown {
	if (shape.kind === 'list' && Array.isArray(value)) {
		const entries: unknown[] = value;
		return entries
			.filter(
				(entry) => !areConditionsIgnored || shape.of !== ITEM || !isRow(entry) || isFilterName(key, entry.fieldName),
			)
			.map((entry) => removeUndescribed(key, entry, shape.of, areConditionsIgnored));
	}
	if (shape.kind !== 'object' || !isRow(value)) return value;
	const parts = Object.entries(value).flatMap(([name, part]): Array<[string, unknown]> => {
		const of = shape.fields.get(name);
		return of ? [[name, removeUndescribed(key, part, of, areConditionsIgnored)]] : [];
	});
	return Object.fromEntries(parts);
}

/** Combines the parts of a request's body. */
function combineBody({ json, form, files }: Call): unknown {
	if (json !== undefined) return json;
	return { ...form, ...Object.fromEntries(files.map(({ field }) => [lowerFirst(field), null])) };
}

/** Lists the body fields of a call that no document describes. */
export const listUndescribedFields = (key: string, call: Call): string[] => listUndescribed(key, combineBody(call));

/** Removes the body fields that no document describes from a call, because live deployments ignore them. */
export function ignoreUndescribed(key: string, call: Call): Call {
	const shape = bodyShape(key);
	const { json, form, files } = call;
	const isDescribed = (name: string) => shape.kind === 'object' && shape.fields.has(lowerFirst(name));
	return {
		...call,
		// On the contract's platform, the operation itself refuses unknown conditions.
		json: removeUndescribed(key, json, shape, call.isDeployed),
		form: pickBy(form, (_values, name) => isDescribed(name)),
		files: files.filter(({ field }) => isDescribed(field)),
	};
}
