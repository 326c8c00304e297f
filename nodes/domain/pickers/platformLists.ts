import { startCase, upperFirst } from 'lodash';
import { IANAZone } from 'luxon';

import type { PickerContext, Field, FieldSettings } from '../../core/fields/field';
import { readLocatorValue, wholeNumberField } from '../../core/fields/fieldTypes';
import { COMPANY_DEPENDENCIES, createWholeListSource, type ReadChoices } from '../../core/pickers/listSource';
import { listMultiPicker, parseTypedValue, listPicker } from '../../core/pickers/picker';
import {
	createCodeTypeReader,
	createCompanyValueReader,
	createResponseListReader,
	readCustomFields,
	readExecutiveReports,
	readIanaTimeZones,
	readWidgets,
} from './platformListReaders';
import { ACTIVE_STATUS, createStatusReader, createReaderWithActiveStatus } from './statuses';
import { getSimulatorEndpointKey, type Simulator } from '../../core/api/endpoints';
import { InvalidInputError } from '../../core/http/errors';
import { isRecord, normalizeText, parseNumber, type Choice } from '../../core/values';

const LEADERBOARD_DETAILS = 'GET /api/leaderboard/form-details';
const REPORT_DETAILS = 'GET /api/training-reports/form-details';
const TIME_ZONE_DETAILS = 'GET /api/timezone/timezones';
const LICENSE_DETAILS = 'GET /api/lookups/licenses';

/** A list of values that the user can select, such as countries or statuses. */
interface PlatformList {
	/** The word for one value, as written inside a sentence: "action type". */
	noun: string;
	/** The functions that can read the list. They are called in this order until one of them returns at least one value. */
	readers: ReadChoices[];
	/** The values to use if none of the readers returns any. Every known platform has these values. */
	knownValues?: Choice[];
	/** A choice that the form shows before the values of the platform. */
	firstChoice?: Choice;
	/** Returns true for a text that is certainly an ID. A number and a GUID always are. */
	isId?: (text: string) => boolean;
	/** True if each customer has its own values. The ID of a value is then only valid for that customer. */
	isPerCustomer?: boolean;
}

/** The choice for the time zone in the record of the company that the operation runs for. The ID is saved in workflows. */
export const CUSTOMERS_OWN_TIME_ZONE: Choice = { id: 'customersOwn', name: "Customer's Own" };

const definePlatformList = (noun: string, ...readers: ReadChoices[]): PlatformList => ({ noun, readers });

/**
 * Defines the list of the values of one of the platform's code types, such as the countries. Every company record has one of these values.
 * @param word a part of the code type's name, as `createCodeTypeReader` expects it
 * @param fieldPrefix the common beginning of the two keys under which a company record has the value: "country" for countryResourceId and
 * countryName
 */
const defineCodeTypeList = (noun: string, word: string, fieldPrefix: string) =>
	definePlatformList(
		noun,
		createCodeTypeReader(word),
		createCompanyValueReader(`${fieldPrefix}ResourceId`, `${fieldPrefix}Name`),
	);

/** Returns true for the IANA name of a time zone, and for the choice of the customer's own time zone. */
const isTimeZoneId = (text: string) => text === CUSTOMERS_OWN_TIME_ZONE.id || IANAZone.isValidZone(text);

const TIME_ZONE_READERS = [createResponseListReader(TIME_ZONE_DETAILS, 'timezone', ['id']), readIanaTimeZones];

/**
 * The lists of values (deployment shapes, "Beside the 85"; deployment beyond, "How to use this file"). The contract describes none of them.
 * The name of the method that reads a list is built from the list's key.
 */
const PLATFORM_LISTS = {
	actionTypes: definePlatformList(
		'action type',
		createResponseListReader(LEADERBOARD_DETAILS, 'actiontype', ['value']),
	),
	clientStatuses: definePlatformList(
		'status',
		createReaderWithActiveStatus(createStatusReader('POST /api/companies/clients/search')),
	),
	companyStatuses: definePlatformList(
		'status',
		createReaderWithActiveStatus(createCompanyValueReader('statusId', 'statusName')),
	),
	countries: defineCodeTypeList('country', 'countr', 'country'),
	customFields: { noun: 'custom field', readers: [readCustomFields], isPerCustomer: true },
	dateFormats: definePlatformList(
		'date format',
		createResponseListReader(TIME_ZONE_DETAILS, 'dateformat', []),
		createCompanyValueReader('dateFormat'),
	),
	difficultyTypes: definePlatformList(
		'difficulty type',
		createResponseListReader(LEADERBOARD_DETAILS, 'difficultytype', ['value']),
	),
	// The known values are documented (deployment activity 10).
	examStatuses: {
		noun: 'exam status',
		readers: [createResponseListReader(REPORT_DETAILS, 'examstatus', ['name', 'id'])],
		knownValues: ['FirstAttempt', 'PassedAnyAttempt', 'FailedAnyAttempt'].map((id) => ({ id, name: startCase(id) })),
	},
	executiveReports: { noun: 'executive report', readers: [readExecutiveReports], isPerCustomer: true },
	ianaZones: { noun: 'time zone', readers: [readIanaTimeZones], firstChoice: CUSTOMERS_OWN_TIME_ZONE },
	industries: defineCodeTypeList('industry', 'industr', 'industry'),
	languages: defineCodeTypeList('language', 'language', 'preferredLanguageType'),
	licenseModules: definePlatformList(
		'license module',
		createResponseListReader(LICENSE_DETAILS, 'modules', ['resourceId']),
	),
	licensePeriodTypes: defineCodeTypeList('license period type', 'licenseperiod', 'licensePeriodType'),
	licenseTypes: definePlatformList(
		'license type',
		createResponseListReader(LICENSE_DETAILS, 'licenses', ['resourceId']),
		createCompanyValueReader('licenseTypeResourceId', 'licenseTypeName'),
	),
	notificationTemplateTypes: defineCodeTypeList(
		'notification template type',
		'notificationtemplate',
		'notificationTemplateType',
	),
	products: definePlatformList('product', createResponseListReader(LEADERBOARD_DETAILS, 'producttype', ['value'])),
	smtpConfigurationTypes: defineCodeTypeList('SMTP configuration type', 'smtp', 'smtpConfigurationType'),
	personTimeZones: {
		noun: 'time zone',
		readers: TIME_ZONE_READERS,
		firstChoice: CUSTOMERS_OWN_TIME_ZONE,
		isId: isTimeZoneId,
	},
	systemUserStatuses: definePlatformList(
		'status',
		createReaderWithActiveStatus(createStatusReader('POST /api/system-users/search')),
	),
	timeFormats: definePlatformList(
		'time format',
		createResponseListReader(TIME_ZONE_DETAILS, 'timeformat', []),
		createCompanyValueReader('timeFormat'),
	),
	timeZones: { noun: 'time zone', readers: TIME_ZONE_READERS, isId: isTimeZoneId },
	trainingContentTypes: defineCodeTypeList('training content type', 'trainingcontent', 'trainingContentType'),
	trainingTypeNumbers: definePlatformList(
		'training type',
		createResponseListReader(REPORT_DETAILS, 'trainingtype', ['id']),
	),
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
	trainingTypes: definePlatformList(
		'training type',
		createResponseListReader(REPORT_DETAILS, 'trainingtype', ['name', 'id']),
	),
	widgets: definePlatformList('widget', readWidgets),
} satisfies Record<string, PlatformList>;

type PlatformListName = keyof typeof PLATFORM_LISTS;

/**
 * The lists of values for the form of a simulation (deployment beyond, "Campaigns"). Each has the word for one value, and a part of the key
 * under which the platform returns the list.
 */
const SIMULATION_LISTS = {
	delayUnits: ['delay unit', 'delaytimetype'],
	distributionTypes: ['distribution type', 'distributiontypes'],
	overTimeUnits: ['unit', 'overtimetype'],
	randomUserUnits: ['unit', 'calculatetype'],
	scheduleTypes: ['schedule', 'scheduletype'],
} as const;

type ListName = PlatformListName | keyof typeof SIMULATION_LISTS;

/** An example of a name for each list, for the mode 'By Name'. A list whose IDs are names, such as date formats, has none. */
const NAME_EXAMPLES: Partial<Record<ListName, string>> = {
	clientStatuses: 'Active',
	companyStatuses: 'Active',
	countries: 'Germany',
	customFields: 'Cost Center',
	delayUnits: 'Minutes',
	distributionTypes: 'Random',
	examStatuses: 'First Attempt',
	executiveReports: 'Quarterly Review',
	industries: 'Retail',
	languages: 'English',
	licensePeriodTypes: 'Yearly',
	licenseTypes: 'Premium',
	notificationTemplateTypes: 'Default',
	overTimeUnits: 'Hours',
	randomUserUnits: 'Percent',
	personTimeZones: '(UTC+01:00) Amsterdam, Berlin',
	scheduleTypes: 'Now',
	smtpConfigurationTypes: 'Default',
	systemUserStatuses: 'Active',
	timeZones: '(UTC+01:00) Amsterdam, Berlin',
	trainingContentTypes: 'Default',
	trainingSearchTypes: 'Popular',
	trainingTypeNumbers: 'Survey',
	trainingTypes: 'Survey',
};

/** Reads the choices of a list. If none of its readers returns any, returns the known values. @throws RequestError */
async function readPlatformList(list: PlatformList, context: PickerContext): Promise<Choice[]> {
	const { readers, knownValues = [], firstChoice } = list;
	const firstChoices = firstChoice ? [firstChoice] : [];
	for (const readChoices of readers) {
		const choices = await readChoices(context);
		if (choices.length > 0) return [...firstChoices, ...choices];
	}
	return [...firstChoices, ...knownValues];
}

/** Reads the choices of one of the lists in `PLATFORM_LISTS`. @throws RequestError */
export const readPlatformChoices = async (listName: PlatformListName, context: PickerContext): Promise<Choice[]> =>
	readPlatformList(PLATFORM_LISTS[listName], context);

type PickerSettings = FieldSettings & { default?: string; defaultLabel?: string; idExample?: string };
type NumberPickerSettings = Omit<PickerSettings, 'default'> & { default?: number };

/**
 * Creates a field in which the user selects a value from a list or enters a value.
 * @param listName the name from which the name of the list method is built
 */
function valuePicker(listName: ListName, list: PlatformList, settings: PickerSettings): Field<string | undefined> {
	const field = listPicker({
		...settings,
		noun: list.noun,
		listMethod: `search${upperFirst(listName)}`,
		nameExample: NAME_EXAMPLES[listName],
		// The values are collected from several places, so that some may be missing. A record that isn't in its list doesn't exist.
		acceptsOtherValues: list.isPerCustomer !== true,
		isId: (text) => /^\d+$/.test(text) || list.isId?.(text) === true,
		required: settings.required ?? false,
		source: createWholeListSource(
			async (context) => readPlatformList(list, context),
			list.isPerCustomer === true ? COMPANY_DEPENDENCIES : undefined,
			true,
		),
	});
	return { ...field, parse: (raw) => parseTypedValue(raw, settings.required ? 1 : 0) };
}

/** Creates a field in which the user selects a value from one of the lists in `PLATFORM_LISTS`, or enters a value. */
export const platformPicker = (listName: PlatformListName, settings: PickerSettings): Field<string | undefined> =>
	valuePicker(listName, PLATFORM_LISTS[listName], settings);

/** Creates a field in which the user selects several values from one of the lists in `PLATFORM_LISTS`. */
export function platformMultiPicker(
	listName: PlatformListName,
	settings: FieldSettings & { description: string; additionalWords?: readonly string[] },
): Field<string[]> {
	const list = PLATFORM_LISTS[listName];
	return listMultiPicker({
		...settings,
		noun: list.noun,
		listMethod: `load${upperFirst(listName)}`,
		source: createWholeListSource(
			async (context) => readPlatformList(list, context),
			// The license modules belong to the reseller, and the form with them has no company field.
			listName === 'licenseModules' ? undefined : COMPANY_DEPENDENCIES,
			true,
		),
	});
}

/** Creates a field in which the user selects a value from a list or enters its number. The parsed value is a number. */
function numberPicker(
	listName: ListName,
	list: PlatformList,
	settings: NumberPickerSettings,
): Field<number | undefined> {
	const { default: defaultNumber, ...otherSettings } = settings;
	const numberField = wholeNumberField({ ...otherSettings, default: 0, min: 0 });
	const picker = valuePicker(listName, list, {
		idExample: '1',
		...otherSettings,
		default: defaultNumber === undefined ? undefined : String(defaultNumber),
	});
	return {
		...picker,
		parse: (raw, item) => {
			const value = readLocatorValue(raw);
			// The empty value of an optional picker means that nothing is selected. It must not be parsed as a number.
			const isEmptyPicker = isRecord(raw) && (value === '' || value === undefined);
			if (isEmptyPicker && !settings.required) return undefined;
			if (!isValueName(value)) return numberField.parse(value, item);
			const isDefault = normalizeText(value) === normalizeText(settings.defaultLabel ?? '');
			return isDefault && defaultNumber !== undefined ? defaultNumber : UNKNOWN_NUMBER;
		},
		resolveNames: async (raw, context) => {
			const resolvedValue = await picker.resolveNames?.(raw, context);
			const value = readLocatorValue(resolvedValue);
			if (!isValueName(value) || normalizeText(value) === normalizeText(settings.defaultLabel ?? ''))
				return resolvedValue;
			throw new InvalidInputError(
				`is '${value}', but no ${list.noun} has that name`,
				[],
				'Select an entry of the list, or enter the number that the platform uses for this value in its API.',
			);
		},
	};
}

/** The number of a value whose name has not been looked up yet. */
const UNKNOWN_NUMBER = NaN;

/** Returns true if a text is the name of a value, so that its number must be looked up. */
const isValueName = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '' && Number.isNaN(parseNumber(value));

/** Creates a field like `platformPicker`, but the parsed value is the number that identifies the value. */
export const platformNumberPicker = (
	listName: PlatformListName,
	settings: NumberPickerSettings,
): Field<number | undefined> => numberPicker(listName, PLATFORM_LISTS[listName], settings);

/** Creates a field in which the user selects a value from one of the lists in `SIMULATION_LISTS`. The parsed value is a number. */
export function simulationPicker(
	listName: keyof typeof SIMULATION_LISTS,
	simulator: Simulator,
	settings: NumberPickerSettings,
): Field<number | undefined> {
	const [noun, word] = SIMULATION_LISTS[listName];
	const endpoint = getSimulatorEndpointKey(simulator, 'GET /api/SIM-simulator/SIM-campaign/form-details');
	const readDetails = createResponseListReader(endpoint, word, ['value']);
	return numberPicker(listName, definePlatformList(noun, readDetails), settings);
}

/** Creates a field in which the user selects a status. The parsed value is the number of the status, by default that of the active status. */
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
