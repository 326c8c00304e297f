import { startCase, upperFirst } from 'lodash';

import type { PickerContext, Field, FieldSettings } from '../../core/fields/field';
import { readLocatorValue, wholeNumberField } from '../../core/fields/fieldTypes';
import { COMPANY_DEPENDENCIES, createWholeListSource, type ReadChoices } from '../../core/pickers/listSource';
import { listMultiPicker, parseTypedValue, listPicker } from '../../core/pickers/picker';
import {
	createCodeTypeReader,
	createCompanyValueReader,
	createDetailsReader,
	readCustomFields,
	readExecutiveReports,
	readIanaTimeZones,
	readWidgets,
} from './platformListReaders';
import { ACTIVE_STATUS, createStatusReader, addActiveStatus } from './statuses';
import { getSimulatorEndpointKey, type Simulator } from '../../core/api/endpoints';
import { isRecord, type Choice } from '../../core/values';

const LEADERBOARD_DETAILS = 'GET /api/leaderboard/form-details';
const REPORT_DETAILS = 'GET /api/training-reports/form-details';
const TIME_ZONE_DETAILS = 'GET /api/timezone/timezones';
const LICENSE_DETAILS = 'GET /api/lookups/licenses';

/** A list of values of the platform. */
interface PlatformList {
	/** The word for one value, in the form that it has inside a sentence: "action type". */
	noun: string;
	/** The functions that read the list. They are called in this order until one returns values. */
	readers: ReadChoices[];
	/** The values to use if no reader returns any. Every known platform has them. */
	knownValues?: Choice[];
	/** True if each customer has its own values, so that an ID is only valid at its customer. */
	isPerCustomer?: boolean;
}

const defineList = (noun: string, ...readers: ReadChoices[]): PlatformList => ({ noun, readers });

/**
 * Defines the list of the values of a code type, such as the country. Every company has one of these values.
 * @param word a part of the code type's name, as `createCodeTypeReader` expects it
 * @param fieldPrefix the beginning of its field names in a company's record, such as "country" in countryResourceId and countryName
 */
const defineTypeList = (noun: string, word: string, fieldPrefix: string) =>
	defineList(
		noun,
		createCodeTypeReader(word),
		createCompanyValueReader(`${fieldPrefix}ResourceId`, `${fieldPrefix}Name`),
	);

/**
 * The lists of values that are not part of the contract (deployment shapes, "Beside the 85"; deployment beyond, "How to use this
 * file"). The name of each list method is built from the key of its list.
 */
const PLATFORM_LISTS = {
	actionTypes: defineList('action type', createDetailsReader(LEADERBOARD_DETAILS, 'actiontype', ['value'])),
	clientStatuses: defineList('status', addActiveStatus(createStatusReader('POST /api/companies/clients/search'))),
	companyStatuses: defineList('status', addActiveStatus(createCompanyValueReader('statusId', 'statusName'))),
	countries: defineTypeList('country', 'countr', 'country'),
	customFields: { noun: 'custom field', readers: [readCustomFields], isPerCustomer: true },
	dateFormats: defineList(
		'date format',
		createDetailsReader(TIME_ZONE_DETAILS, 'dateformat', []),
		createCompanyValueReader('dateFormat'),
	),
	difficultyTypes: defineList('difficulty type', createDetailsReader(LEADERBOARD_DETAILS, 'difficultytype', ['value'])),
	// The known values are documented (deployment activity 10).
	examStatuses: {
		noun: 'exam status',
		readers: [createDetailsReader(REPORT_DETAILS, 'examstatus', ['name', 'id'])],
		knownValues: ['FirstAttempt', 'PassedAnyAttempt', 'FailedAnyAttempt'].map((id) => ({ id, name: startCase(id) })),
	},
	executiveReports: { noun: 'executive report', readers: [readExecutiveReports], isPerCustomer: true },
	ianaZones: defineList('time zone', readIanaTimeZones),
	industries: defineTypeList('industry', 'industr', 'industry'),
	languages: defineTypeList('language', 'language', 'preferredLanguageType'),
	licenseModules: defineList('license module', createDetailsReader(LICENSE_DETAILS, 'modules', ['resourceId'])),
	licensePeriodTypes: defineTypeList('license period type', 'licenseperiod', 'licensePeriodType'),
	licenseTypes: defineList(
		'license type',
		createDetailsReader(LICENSE_DETAILS, 'licenses', ['resourceId']),
		createCompanyValueReader('licenseTypeResourceId', 'licenseTypeName'),
	),
	notificationTemplateTypes: defineTypeList(
		'notification template type',
		'notificationtemplate',
		'notificationTemplateType',
	),
	products: defineList('product', createDetailsReader(LEADERBOARD_DETAILS, 'producttype', ['value'])),
	smtpConfigurationTypes: defineTypeList('SMTP configuration type', 'smtp', 'smtpConfigurationType'),
	systemUserStatuses: defineList('status', addActiveStatus(createStatusReader('POST /api/system-users/search'))),
	timeFormats: defineList(
		'time format',
		createDetailsReader(TIME_ZONE_DETAILS, 'timeformat', []),
		createCompanyValueReader('timeFormat'),
	),
	timeZones: defineList('time zone', createDetailsReader(TIME_ZONE_DETAILS, 'timezone', ['id']), readIanaTimeZones),
	trainingContentTypes: defineTypeList('training content type', 'trainingcontent', 'trainingContentType'),
	trainingTypeNumbers: defineList('training type', createDetailsReader(REPORT_DETAILS, 'trainingtype', ['id'])),
	trainingKinds: {
		noun: 'training type',
		readers: [],
		knownValues: ['SCORM', 'Learning Path', 'Poster', 'Infographic', 'Screensaver', 'Survey'].map((id) => ({
			id,
			name: id,
		})),
	},
	trainingSearchTypes: {
		noun: 'search type',
		readers: [],
		knownValues: ['All', 'Popular', 'Favourites', 'Mine'].map((name, index) => ({ id: String(index + 1), name })),
	},
	trainingTypes: defineList('training type', createDetailsReader(REPORT_DETAILS, 'trainingtype', ['name', 'id'])),
	widgets: defineList('widget', readWidgets),
} satisfies Record<string, PlatformList>;

type PlatformListName = keyof typeof PLATFORM_LISTS;

/** The lists in the form of a simulation, each with the word for one value and a part of the list's name (deployment beyond, "Campaigns"). */
const SIMULATION_LISTS = {
	delayUnits: ['delay unit', 'delaytimetype'],
	distributionTypes: ['distribution type', 'distributiontypes'],
	overTimeUnits: ['unit', 'overtimetype'],
	randomUserUnits: ['unit', 'calculatetype'],
	scheduleTypes: ['schedule', 'scheduletype'],
} as const;

/** Reads the values of a list, or returns its known values if no reader returns any. @throws RequestError */
async function readPlatformList(list: PlatformList, context: PickerContext): Promise<Choice[]> {
	for (const readChoices of list.readers) {
		const choices = await readChoices(context);
		if (choices.length > 0) return choices;
	}
	return list.knownValues ?? [];
}

type PickerSettings = FieldSettings & { default?: string; defaultLabel?: string; idExample?: string };
type NumberPickerSettings = Omit<PickerSettings, 'default'> & { default?: number };

/** Creates a field that selects a value from a list, or takes a typed value. @param listName is part of the name of the list method */
function valuePicker(listName: string, list: PlatformList, settings: PickerSettings): Field<string | undefined> {
	const field = listPicker({
		...settings,
		noun: list.noun,
		listMethod: `search${upperFirst(listName)}`,
		required: settings.required ?? false,
		source: createWholeListSource(
			async (context) => readPlatformList(list, context),
			list.isPerCustomer === true ? COMPANY_DEPENDENCIES : undefined,
			true,
		),
	});
	return { ...field, parse: (raw) => parseTypedValue(raw, settings.required ? 1 : 0) };
}

/** Creates a field that selects a value of the platform, or takes a typed value. */
export const platformPicker = (listName: PlatformListName, settings: PickerSettings): Field<string | undefined> =>
	valuePicker(listName, PLATFORM_LISTS[listName], settings);

/** Creates a field that selects several values of the platform. */
export function platformMultiPicker(
	listName: PlatformListName,
	settings: FieldSettings & { description: string },
): Field<string[]> {
	const list = PLATFORM_LISTS[listName];
	return listMultiPicker({
		...settings,
		noun: list.noun,
		listMethod: `load${upperFirst(listName)}`,
		source: createWholeListSource(
			async (context) => readPlatformList(list, context),
			// The license modules are a list of the reseller, and their form has no company.
			listName === 'licenseModules' ? undefined : COMPANY_DEPENDENCIES,
			true,
		),
	});
}

function numberPicker(listName: string, list: PlatformList, settings: NumberPickerSettings): Field<number | undefined> {
	const { default: defaultNumber, ...otherSettings } = settings;
	const numberField = wholeNumberField({ ...otherSettings, default: 0, min: 0 });
	return {
		...valuePicker(listName, list, {
			idExample: '1',
			...otherSettings,
			default: defaultNumber === undefined ? undefined : String(defaultNumber),
		}),
		parse: (raw, item) => {
			const value = readLocatorValue(raw);
			// If nothing is selected in an optional picker, its value is undefined, not an invalid number.
			const isEmptyPicker = isRecord(raw) && (value === '' || value === undefined);
			return isEmptyPicker && !settings.required ? undefined : numberField.parse(value, item);
		},
	};
}

/** Creates a field that selects a value of the platform by its number, or takes a typed number. */
export const platformNumberPicker = (
	listName: PlatformListName,
	settings: NumberPickerSettings,
): Field<number | undefined> => numberPicker(listName, PLATFORM_LISTS[listName], settings);

/** Creates a field that selects a value by its number from a list in a simulation's form. */
export function simulationPicker(
	listName: keyof typeof SIMULATION_LISTS,
	simulator: Simulator,
	settings: NumberPickerSettings,
): Field<number | undefined> {
	const [noun, word] = SIMULATION_LISTS[listName];
	const endpoint = getSimulatorEndpointKey(simulator, 'GET /api/SIM-simulator/SIM-campaign/form-details');
	const readDetails = createDetailsReader(endpoint, word, ['value']);
	return numberPicker(listName, defineList(noun, readDetails), settings);
}

/** Creates a field for the number of a status. The default is the number of the active status. */
export const statusPicker = (
	listName: 'clientStatuses' | 'companyStatuses' | 'systemUserStatuses',
	description: string,
): Field<number | undefined> =>
	platformNumberPicker(listName, {
		displayName: 'Status',
		description,
		default: 1,
		defaultLabel: ACTIVE_STATUS.name,
	});
