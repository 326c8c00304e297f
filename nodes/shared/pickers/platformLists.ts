import { sortBy, uniqBy, upperFirst } from 'lodash';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { identityOf } from '../answer/page';
import type { Field, Label } from '../form/field';
import { isRecord, locatorValue, parseTexts, wholeNumber } from '../form/fields';
import { toJson } from '../transport/envelope';
import { rethrow } from '../transport/errors';
import type { ContractKey } from '../transport/request';
import { companyOf, listCompanies } from './companies';
import { companyIn, contains, isMissing, serviceIn, type Entry } from './listing';
import { COMPANY_FIELDS, multiPicker, parseTyped, picker } from './picker';

/** Reads one of the lists; it is empty where the platform has none. @throws ServiceError */
type ReadList = (editor: ILoadOptionsFunctions) => Promise<Entry[]>;

/** Asks an operation beside the contract. @returns its data; undefined where the platform lacks it @throws ServiceError */
async function ask(
	editor: ILoadOptionsFunctions,
	contract: ContractKey,
	{ path = {}, scoped = false }: { path?: Record<string, string>; scoped?: boolean } = {},
): Promise<unknown> {
	const company = scoped ? await companyIn(editor) : undefined;
	const service = await serviceIn(editor);
	const request = { contract, path, repeatable: true, purpose: 'read the list', ...(company ? { company } : {}) };
	return await service.json(request).then(
		({ data }) => data,
		async (error: unknown) => (isMissing(error) ? undefined : await rethrow(error)),
	);
}

const namedShape = z.array(z.object({ resourceId: z.string(), name: z.string() })).catch([]);
const named = (list: unknown): Entry[] =>
	namedShape.parse(list).map(({ resourceId, name }) => ({ id: resourceId, name }));

const wordsShape = z.array(z.string()).catch([]);
const words = (list: unknown): Entry[] => wordsShape.parse(list).map((word) => ({ id: word, name: word }));

const zonesShape = z.array(z.object({ id: z.string(), displayName: z.string() })).catch([]);
const zones = (list: unknown): Entry[] =>
	zonesShape.parse(list).map(({ id, displayName }) => ({ id, name: displayName }));

/** One list of an answer that has several (deployment shapes). */
const part =
	(contract: ContractKey, name: string, entriesOf: (list: unknown) => Entry[]): ReadList =>
	async (editor) => {
		const data = await ask(editor, contract);
		return isRecord(data) ? entriesOf(data[name]) : [];
	};

const codeTypes = z.array(z.object({ id: z.number(), name: z.string() })).catch([]);
const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** The values of a kind (deployment shapes: codetypes, lookups/{typeId}). @param word the small letters that its name has */
const codes =
	(word: string): ReadList =>
	async (editor) => {
		const types = codeTypes.parse(await ask(editor, 'GET /api/codetypes'));
		const type = types.find(({ name }) => letters(name).includes(word));
		return type ? named(await ask(editor, 'GET /api/lookups/{typeId}', { path: { typeId: String(type.id) } })) : [];
	};

/** How many existing companies are read for the values that they have, and reports for their widgets. */
const MOST_READ = 10;

/** The values that companies have. @param names the fields of their records with a value's ID and its name */
function valuesOf(companies: IDataObject[], [id, name]: readonly [string, string]): Entry[] {
	const values = companies.flatMap((company) => {
		const value = identityOf(company, [id]);
		return value === undefined ? [] : [{ id: value, name: identityOf(company, [name, id]) ?? value }];
	});
	return sortBy(uniqBy(values, 'id'), 'name');
}

/** The values that the list of companies has (contract 2.4). */
const inCompanyList =
	(id: string, name: string): ReadList =>
	async (editor) =>
		valuesOf((await listCompanies(await serviceIn(editor))).records, [id, name]);

/** The values that some existing companies have (deployment shapes: GET companies/{resourceId}). */
const inCompanies =
	(id: string, name = id): ReadList =>
	async (editor) => {
		const { records } = await listCompanies(await serviceIn(editor), undefined, MOST_READ);
		const companies = await Promise.all(
			records.slice(0, MOST_READ).map(async (company) => {
				const path = { resourceId: companyOf(company).id };
				return toJson(await ask(editor, 'GET /api/companies/{resourceId}', { path }));
			}),
		);
		return valuesOf(companies, [id, name]);
	};

/** The values of a list and of the lists inside it (deployment shapes: form-details). @param ids the fields with a value's ID */
function valuesIn(list: unknown, ids: string[]): Entry[] {
	const values: unknown[] = Array.isArray(list) ? list : [];
	return values.filter(isRecord).flatMap((value) => {
		const id = identityOf(value, ids);
		const name = identityOf(value, ['displayName', 'text', 'name', ...ids]);
		const inside = valuesIn(value.enumResults ?? value.extraDatas, ids);
		return id === undefined || name === undefined ? inside : [{ id, name }, ...inside];
	});
}

/** The values of those lists in form details whose name has a word. */
const details =
	(contract: ContractKey, word: string, ids: string[]): ReadList =>
	async (editor) => {
		const data = await ask(editor, contract, { scoped: true });
		const lists = isRecord(data) ? Object.entries(data).filter(([name]) => letters(name).includes(word)) : [];
		return uniqBy(
			lists.flatMap(([, list]) => valuesIn(list, ids)),
			'id',
		);
	};

const groupsShape = z.array(z.object({ name: z.string(), widgets: z.unknown() })).catch([]);
const widgetsIn = (groups: unknown): Entry[] =>
	groupsShape
		.parse(groups)
		.flatMap((group) => named(group.widgets).map(({ id, name }) => ({ id, name: `${group.name}: ${name}` })));

/** The widgets of the metrics or, without these, of the reports (deployment behaviour, "Leaderboard, executive report"). */
const widgets: ReadList = async (editor) => {
	const metrics = await ask(editor, 'GET /api/executive-report/metrics', { scoped: true });
	if (isRecord(metrics)) return uniqBy(widgetsIn(metrics.metrics), 'id');
	const company = await companyIn(editor);
	const { data } = await (
		await serviceIn(editor)
	).json({
		contract: 'POST /api/executive-report/search',
		repeatable: true,
		purpose: 'read the list',
		body: { name: '' },
		...(company ? { company } : {}),
	});
	const reports = named(data).slice(0, MOST_READ);
	const read = async ({ id }: Entry) =>
		await ask(editor, 'GET /api/executive-report/{resourceId}', { path: { resourceId: id }, scoped: true });
	return uniqBy(widgetsIn((await Promise.all(reports.map(read))).filter(isRecord)), 'id');
};

/** The IANA time zones, by which live platforms call them (deployment behaviour, "Trainings, groups, enrollments"). */
const ianaZones: ReadList = async () =>
	await Promise.resolve(
		['UTC', ...Intl.supportedValuesOf('timeZone')].map((id) => ({ id, name: id.replaceAll('_', ' ') })),
	);

const BOARD = 'GET /api/leaderboard/form-details';
const REPORT = 'GET /api/training-reports/form-details';
const TIMES = 'GET /api/timezone/timezones';
const LICENSES = 'GET /api/lookups/licenses';

/** What is chosen, and where it is listed: the first list that is not empty. */
interface PlatformList {
	thing: string;
	from: ReadList[];
}

const list = (thing: string, ...from: ReadList[]): PlatformList => ({ thing, from });

/** A type that each company has one of. @param name its fields in a company's record: countryResourceId, countryName */
const typeOf = (thing: string, word: string, name: string) =>
	list(thing, codes(word), inCompanies(`${name}ResourceId`, `${name}Name`));

const customFields: ReadList = async (editor) =>
	named(await ask(editor, 'GET /api/custom-fields/company', { scoped: true }));

/** Every list beside the contract (deployment shapes; deployment beyond). */
const LISTS = {
	actionTypes: list('action type', details(BOARD, 'actiontype', ['value'])),
	countries: typeOf('country', 'countr', 'country'),
	customFields: list('custom field', customFields),
	dateFormats: list('date format', part(TIMES, 'dateFormatList', words), inCompanies('dateFormat')),
	difficultyTypes: list('difficulty type', details(BOARD, 'difficultytype', ['value'])),
	examStatuses: list('exam status', details(REPORT, 'examstatus', ['name', 'id'])),
	ianaZones: list('time zone', ianaZones),
	industries: list('industry', codes('industr'), inCompanyList('industryResourceId', 'industryName')),
	languages: typeOf('language', 'language', 'preferredLanguageType'),
	licenseModules: list('license module', part(LICENSES, 'allLicenseModules', named)),
	licensePeriodTypes: typeOf('license period type', 'licenseperiod', 'licensePeriodType'),
	licenseTypes: list(
		'license type',
		part(LICENSES, 'licenses', named),
		inCompanyList('licenseTypeResourceId', 'licenseTypeName'),
	),
	notificationTemplateTypes: typeOf('notification template type', 'notificationtemplate', 'notificationTemplateType'),
	products: list('product', details(BOARD, 'producttype', ['value'])),
	smtpConfigurationTypes: typeOf('SMTP configuration type', 'smtp', 'smtpConfigurationType'),
	timeFormats: list('time format', part(TIMES, 'timeFormatList', words), inCompanies('timeFormat')),
	timeZones: list('time zone', part(TIMES, 'timeZoneList', zones), ianaZones),
	trainingContentTypes: typeOf('training content type', 'trainingcontent', 'trainingContentType'),
	trainingTypeNumbers: list('training type', details(REPORT, 'trainingtype', ['id'])),
	trainingTypes: list('training type', details(REPORT, 'trainingtype', ['name', 'id'])),
	widgets: list('widget', widgets),
};

async function entriesIn(of: keyof typeof LISTS, editor: ILoadOptionsFunctions): Promise<Entry[]> {
	for (const read of LISTS[of].from) {
		const entries = await read(editor);
		if (entries.length > 0) return entries;
	}
	return [];
}

/**
 * The field that chooses a value of the platform, or takes it typed.
 * @param label.example of a typed value
 * @throws InvalidInput where it is required and empty
 */
export function platformPicker(
	of: keyof typeof LISTS,
	label: Label & { default?: string; example?: string },
): Field<string | undefined> {
	const { thing, from } = LISTS[of];
	const hint = "If the list is empty, enter the value 'By ID': not every platform has this list";
	const field = picker({
		...(from.includes(ianaZones) ? {} : { hint }),
		...label,
		thing,
		method: `search${upperFirst(of)}`,
		required: label.required ?? false,
		search: async (editor, searchText) => ({
			entries: (await entriesIn(of, editor)).filter(contains(searchText)),
			isLast: true,
		}),
	});
	return { ...field, parse: (raw) => parseTyped(raw, label.required ? 1 : 0) };
}

/** The field that chooses several values of the platform. */
export function platformMultiPicker(of: keyof typeof LISTS, label: Label): Field<string[]> {
	const field = multiPicker({
		hint: 'If the list is empty, use an expression: not every platform has this list',
		...label,
		thing: LISTS[of].thing,
		method: `load${upperFirst(of)}`,
		// What a license can cover is a list of the reseller's, in a form without a company.
		...(of === 'licenseModules' ? {} : { dependsOn: COMPANY_FIELDS }),
		entries: async (editor) => await entriesIn(of, editor),
	});
	return { ...field, parse: parseTexts };
}

/** The field that chooses a type of training by its number; 0 is a survey (deployment behaviour, "Training reports"). */
export function trainingTypeNumberPicker(label: Label): Field<number | undefined> {
	const number = wholeNumber({ ...label, default: 0, min: 0 });
	return {
		...platformPicker('trainingTypeNumbers', { ...label, default: '0', example: '0' }),
		// An empty picker means no choice; it is not an invalid number.
		parse: (raw, item) => {
			const value = locatorValue(raw);
			return isRecord(raw) && (value === '' || value === undefined) ? undefined : number.parse(value, item);
		},
	};
}
