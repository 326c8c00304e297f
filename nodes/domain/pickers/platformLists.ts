import { sortBy, startCase, uniqBy, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Asker, Field, Label } from '../../core/fields/field';
import { locatorValue, wholeNumber } from '../../core/fields/fieldTypes';
import { isMissing, rethrow } from '../../core/http/errors';
import type { ServiceRequest } from '../../core/http/request';
import { companyOf, listCompanies } from '../../core/companies/companies';
import { COMPANY_FIELDS, wholeSource } from '../../core/pickers/listSource';
import { multiPicker, parseTyped, picker } from '../../core/pickers/picker';
import { ACTIVE, statusNumbers, withActive } from './statuses';
import { endpointOf, type EndpointKey } from '../../core/api/endpoint';
import { ofSimulator, type Simulator } from '../../core/api/endpoints';
import { identityOf, isRecord, toJson, type Choice } from '../../core/values';

/** Reads one of the lists; it is empty where the platform has none. @throws ServiceError */
type ReadList = (asker: Asker) => Promise<Choice[]>;

/**
 * Asks an operation for the company that the form acts for.
 * @returns its data; undefined where the platform lacks the operation
 * @throws ServiceError
 */
async function ask(
	asker: Asker,
	endpoint: EndpointKey,
	parts: Pick<ServiceRequest, 'path' | 'body'> = {},
): Promise<unknown> {
	// What belongs to the platform is listed before a company is chosen.
	const company = endpointOf(endpoint).ofPlatform ? undefined : await asker.company();
	const service = await asker.service();
	const request = { ...parts, endpoint, purpose: 'read the list', company, signal: asker.signal };
	return await service.json(request).then(
		({ data }) => data,
		async (error: unknown) => (isMissing(error) ? undefined : await rethrow(error)),
	);
}

const onlyLetters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/**
 * The entries of a list of words or of objects, and of the lists inside these (deployment shapes: form-details).
 * @param ids the fields that have an entry's ID
 */
function choicesIn(list: unknown, ids: string[]): Choice[] {
	const values: unknown[] = Array.isArray(list) ? list : [];
	return values.flatMap((value) => {
		if (typeof value === 'string') return [{ id: value, name: value }];
		if (!isRecord(value)) return [];
		const id = identityOf(value, ids);
		const name = identityOf(value, ['displayName', 'text', 'name', ...ids]);
		const inside = choicesIn(value.enumResults ?? value.extraDatas, ids);
		return id === undefined || name === undefined ? inside : [{ id, name }, ...inside];
	});
}

const choicesByResourceId = (list: unknown) => choicesIn(list, ['resourceId']);

/** The entries of those lists in an answer whose name has a word (deployment shapes). @param word in small letters */
const details =
	(endpoint: EndpointKey, word: string, ids: string[]): ReadList =>
	async (asker) => {
		const data = await ask(asker, endpoint);
		const lists = isRecord(data) ? Object.entries(data).filter(([name]) => onlyLetters(name).includes(word)) : [];
		return uniqBy(
			lists.flatMap(([, list]) => choicesIn(list, ids)),
			'id',
		);
	};

/** The values of a kind (deployment shapes: codetypes, lookups/{typeId}). @param word the small letters that its name has */
const codes =
	(word: string): ReadList =>
	async (asker) => {
		const kinds = choicesIn(await ask(asker, 'GET /api/codetypes'), ['id']);
		const kind = kinds.find(({ name }) => onlyLetters(name).includes(word));
		return kind
			? choicesByResourceId(await ask(asker, 'GET /api/lookups/{typeId}', { path: { typeId: kind.id } }))
			: [];
	};

/** How many existing companies are read for the values that they have, and reports for their widgets. */
const MOST_READ = 10;

/** The values that records of companies have. @param id, name the fields with a value's ID and its name */
const valuesIn = (companies: IDataObject[], id: string, name: string): Choice[] =>
	sortBy(
		uniqBy(
			companies.flatMap((company) => {
				const value = identityOf(company, [id]);
				return value === undefined ? [] : [{ id: value, name: identityOf(company, [name]) ?? value }];
			}),
			'id',
		),
		'name',
	);

/** The values that companies have by their list (contract 2.4) or, if it lacks them, by some of their records (deployment shapes). */
const inCompanies =
	(id: string, name = id): ReadList =>
	async (asker) => {
		const { records } = await listCompanies(await asker.service());
		const listed = valuesIn(records, id, name);
		if (listed.length > 0) return listed;
		const read = async (record: IDataObject) =>
			toJson(await ask(asker, 'GET /api/companies/{resourceId}', { path: { resourceId: companyOf(record).id } }));
		return valuesIn(await Promise.all(records.slice(0, MOST_READ).map(read)), id, name);
	};

/** The widgets of reports, or of the groups of the metrics, each with the name of its report or group. */
function widgetsIn(groups: unknown): Choice[] {
	const list: unknown[] = Array.isArray(groups) ? groups : [];
	const widgetsOf = (group: Record<string, unknown>) =>
		choicesByResourceId(group.widgets).map(({ id, name }) => ({
			id,
			name: `${identityOf(group, ['name']) ?? ''}: ${name}`,
		}));
	return uniqBy(list.filter(isRecord).flatMap(widgetsOf), 'id');
}

/** The executive reports, which are no page (deployment behaviour, "Leaderboard, executive report"). */
const executiveReports: ReadList = async (asker) =>
	choicesByResourceId(await ask(asker, 'POST /api/executive-report/search', { body: { name: '' } }));

/** The widgets of the metrics or, without these, of the reports (deployment behaviour, "Leaderboard, executive report"). */
const widgets: ReadList = async (asker) => {
	const metrics = await ask(asker, 'GET /api/executive-report/metrics');
	if (isRecord(metrics)) return widgetsIn(metrics.metrics);
	const reports = await executiveReports(asker);
	const read = async ({ id }: Choice) =>
		ask(asker, 'GET /api/executive-report/{resourceId}', { path: { resourceId: id } });
	return widgetsIn(await Promise.all(reports.slice(0, MOST_READ).map(read)));
};

/** The IANA time zones, by which live platforms call them (deployment behaviour, "Trainings, groups, enrollments"). */
const ianaZones: ReadList = async () =>
	Promise.resolve(['UTC', ...Intl.supportedValuesOf('timeZone')].map((id) => ({ id, name: id.replaceAll('_', ' ') })));

const BOARD = 'GET /api/leaderboard/form-details';
const REPORT = 'GET /api/training-reports/form-details';
const TIMES = 'GET /api/timezone/timezones';
const LICENSES = 'GET /api/lookups/licenses';

/** What is chosen, and where it is listed: the first list that is not empty. */
interface PlatformList {
	thing: string;
	from: ReadList[];
	/** What there is besides on every platform that is known, where none lists it. */
	known?: Choice[];
	/** True if each customer has its own entries, so that an ID is only valid at its customer. */
	isOfCustomer?: boolean;
}

const list = (thing: string, ...from: ReadList[]): PlatformList => ({ thing, from });

/** A type that each company has one of. @param name its fields in a company's record: countryResourceId, countryName */
const typeOf = (thing: string, word: string, name: string) =>
	list(thing, codes(word), inCompanies(`${name}ResourceId`, `${name}Name`));

const customFields: ReadList = async (asker) => choicesByResourceId(await ask(asker, 'GET /api/custom-fields/company'));

/** Every list beside the contract (deployment shapes; deployment beyond). */
const LISTS = {
	actionTypes: list('action type', details(BOARD, 'actiontype', ['value'])),
	clientStatuses: list('status', withActive(statusNumbers('POST /api/companies/clients/search'))),
	companyStatuses: list('status', withActive(inCompanies('statusId', 'statusName'))),
	countries: typeOf('country', 'countr', 'country'),
	customFields: { ...list('custom field', customFields), isOfCustomer: true },
	dateFormats: list('date format', details(TIMES, 'dateformat', []), inCompanies('dateFormat')),
	difficultyTypes: list('difficulty type', details(BOARD, 'difficultytype', ['value'])),
	// Deployment activity, 10.
	examStatuses: {
		...list('exam status', details(REPORT, 'examstatus', ['name', 'id'])),
		known: ['FirstAttempt', 'PassedAnyAttempt', 'FailedAnyAttempt'].map((id) => ({ id, name: startCase(id) })),
	},
	executiveReports: { ...list('executive report', executiveReports), isOfCustomer: true },
	ianaZones: list('time zone', ianaZones),
	industries: typeOf('industry', 'industr', 'industry'),
	languages: typeOf('language', 'language', 'preferredLanguageType'),
	licenseModules: list('license module', details(LICENSES, 'modules', ['resourceId'])),
	licensePeriodTypes: typeOf('license period type', 'licenseperiod', 'licensePeriodType'),
	licenseTypes: list(
		'license type',
		details(LICENSES, 'licenses', ['resourceId']),
		inCompanies('licenseTypeResourceId', 'licenseTypeName'),
	),
	notificationTemplateTypes: typeOf('notification template type', 'notificationtemplate', 'notificationTemplateType'),
	products: list('product', details(BOARD, 'producttype', ['value'])),
	smtpConfigurationTypes: typeOf('SMTP configuration type', 'smtp', 'smtpConfigurationType'),
	systemUserStatuses: list('status', withActive(statusNumbers('POST /api/system-users/search'))),
	timeFormats: list('time format', details(TIMES, 'timeformat', []), inCompanies('timeFormat')),
	timeZones: list('time zone', details(TIMES, 'timezone', ['id']), ianaZones),
	trainingContentTypes: typeOf('training content type', 'trainingcontent', 'trainingContentType'),
	trainingTypeNumbers: list('training type', details(REPORT, 'trainingtype', ['id'])),
	trainingKinds: {
		...list('training type'),
		known: ['SCORM', 'Learning Path', 'Poster', 'Infographic', 'Screensaver', 'Survey'].map((id) => ({ id, name: id })),
	},
	trainingSearchTypes: {
		...list('search type'),
		known: ['All', 'Popular', 'Favourites', 'Mine'].map((name, at) => ({ id: String(at + 1), name })),
	},
	trainingTypes: list('training type', details(REPORT, 'trainingtype', ['name', 'id'])),
	widgets: list('widget', widgets),
} satisfies Record<string, PlatformList>;

/** What the form of a simulation lists, each by a word in the list's name (deployment beyond: form-details). */
const OF_SIMULATION = {
	delayUnits: ['delay unit', 'delaytimetype'],
	distributionTypes: ['distribution type', 'distributiontypes'],
	overTimeUnits: ['unit', 'overtimetype'],
	randomUserUnits: ['unit', 'calculatetype'],
	scheduleTypes: ['schedule', 'scheduletype'],
} as const;

async function entriesIn({ from, known = [] }: PlatformList, asker: Asker): Promise<Choice[]> {
	for (const read of from) {
		const choices = await read(asker);
		if (choices.length > 0) return choices;
	}
	return known;
}

type PickerLabel = Label & { default?: string; defaultName?: string; example?: string };
type NumberLabel = Omit<PickerLabel, 'default'> & { default?: number };

/** @param name the list's own, by which its method is called */
function pickerOf(name: string, from: PlatformList, label: PickerLabel): Field<string | undefined> {
	const field = picker({
		...label,
		thing: from.thing,
		method: `search${upperFirst(name)}`,
		required: label.required ?? false,
		source: wholeSource(
			async (asker) => entriesIn(from, asker),
			from.isOfCustomer === true ? COMPANY_FIELDS : undefined,
			true,
		),
	});
	return { ...field, parse: (raw) => parseTyped(raw, label.required ? 1 : 0) };
}

/** The field that chooses a value of the platform, or takes it typed. @param label.example of a typed value */
export const platformPicker = (of: keyof typeof LISTS, label: PickerLabel): Field<string | undefined> =>
	pickerOf(of, LISTS[of], label);

/** The field that chooses several values of the platform. */
export function platformMultiPicker(of: keyof typeof LISTS, label: Label & { description: string }): Field<string[]> {
	return multiPicker({
		...label,
		thing: LISTS[of].thing,
		method: `load${upperFirst(of)}`,
		source: wholeSource(
			async (asker) => entriesIn(LISTS[of], asker),
			// What a license can cover is a list of the reseller's, in a form without a company.
			of === 'licenseModules' ? undefined : COMPANY_FIELDS,
			true,
		),
	});
}

function numberPickerOf(
	name: string,
	from: PlatformList,
	{ default: start, ...label }: NumberLabel,
): Field<number | undefined> {
	const number = wholeNumber({ ...label, default: 0, min: 0 });
	return {
		...pickerOf(name, from, { example: '1', ...label, default: start === undefined ? undefined : String(start) }),
		// An empty picker means no choice; it is not an invalid number.
		parse: (raw, item) => {
			const value = locatorValue(raw);
			const isEmptyPicker = isRecord(raw) && (value === '' || value === undefined);
			return isEmptyPicker && !label.required ? undefined : number.parse(value, item);
		},
	};
}

/**
 * The field that chooses a value of the platform by its number, or takes the number typed.
 * @param label.default the number, with its name in the list
 */
export const platformNumberPicker = (of: keyof typeof LISTS, label: NumberLabel): Field<number | undefined> =>
	numberPickerOf(of, LISTS[of], label);

/** The same for what a simulator's own form lists. */
export function simulationPicker(
	of: keyof typeof OF_SIMULATION,
	simulator: Simulator,
	label: NumberLabel,
): Field<number | undefined> {
	const [thing, word] = OF_SIMULATION[of];
	const form = details(ofSimulator(simulator, 'GET /api/SIM-simulator/SIM-campaign/form-details'), word, ['value']);
	return numberPickerOf(of, list(thing, form), label);
}

/** The field for the number of a status, which is active at first. */
export const statusPicker = (
	of: 'clientStatuses' | 'companyStatuses' | 'systemUserStatuses',
	description: string,
): Field<number | undefined> =>
	platformNumberPicker(of, { displayName: 'Status', description, default: 1, defaultName: ACTIVE.name });
