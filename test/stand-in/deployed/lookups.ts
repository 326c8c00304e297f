import { requireFound } from '../envelope';
import { markOutsideContract, defineReadRoute, type Route, type JsonObject } from '../http';
import { makeShortId } from '../random';
import { INDUSTRIES, LICENSES } from '../seed';
import { CUSTOM_FIELD_NAMES, getCustomFieldId } from './lists';

interface LookupEntry {
	resourceId: string;
	name: string;
}

const buildEntry = (kind: string, name: string): LookupEntry => ({ resourceId: makeShortId(`${kind} ${name}`), name });

interface CodeType {
	id: number;
	name: string;
	entries: readonly LookupEntry[];
}

const buildCodeType = (id: number, name: string, names: readonly string[]): CodeType => ({
	id,
	name,
	entries: names.map((entryName) => buildEntry(name, entryName)),
});

// The kinds of coded values, such as industries and countries, that are needed to create a company.
const CODE_TYPES = {
	industry: { id: 1, name: 'Industry', entries: INDUSTRIES.map(({ id, name }) => ({ resourceId: id, name })) },
	country: buildCodeType(2, 'Country', ['Germany', 'Türkiye', 'United Kingdom', 'United States']),
	licensePeriod: buildCodeType(3, 'License Period Type', ['1 Year', '2 Years', '3 Years']),
	notificationTemplate: buildCodeType(4, 'Notification Template Type', ['Default', 'Plain']),
	trainingContent: buildCodeType(5, 'Training Content Type', ['All', 'Own']),
	smtp: buildCodeType(6, 'SMTP Configuration Type', ['Default', 'Own']),
	language: buildCodeType(7, 'Preferred Language Type', ['English', 'Deutsch', 'Türkçe']),
} satisfies Record<string, CodeType>;

/**
 * A kind of coded value, such as 'country'. A company's record contains the ID and the name of one value of each kind.
 */
export type CodeKind = keyof typeof CODE_TYPES;

const COUNTRY_CODES: Record<string, string> = {
	Germany: 'DE',
	Türkiye: 'TR',
	'United Kingdom': 'GB',
	'United States': 'US',
};

/**
 * Finds a coded value by its kind and ID. For an unknown ID, it returns the ID with the name of the kind's first value.
 */
export function findCode(kind: CodeKind, resourceId?: unknown): LookupEntry & { code: string } {
	const { entries } = CODE_TYPES[kind];
	const { resourceId: id, name } = requireFound(
		entries.find((candidate) => candidate.resourceId === resourceId) ?? entries[0],
		kind,
	);
	return {
		resourceId: typeof resourceId === 'string' ? resourceId : id,
		name,
		code: COUNTRY_CODES[name] ?? name.slice(0, 2).toUpperCase(),
	};
}

const SIMULATOR_MODULES = ['Phishing Simulator', 'Smishing Simulator', 'Quishing Simulator'];

/** The modules of a license. */
export const MODULES = ['Awareness Training', ...SIMULATOR_MODULES];

const buildModules = (availableCount: number): JsonObject[] =>
	MODULES.map((name, index) => ({ ...buildEntry('license module', name), isAvailable: index < availableCount }));

function listLookupEntries({ id, name: type, entries }: CodeType): JsonObject[] {
	return entries.map(({ resourceId, name }, index) => ({
		resourceId,
		genericCodeTypeId: id,
		genericCodeTypeName: type,
		name,
		code: name.toUpperCase().replaceAll(' ', '_'),
		description: `${type}: ${name}`,
		orderNumber: index + 1,
		isoCode: COUNTRY_CODES[name] ?? null,
		isoFriendlyName: COUNTRY_CODES[name] === undefined ? null : name,
	}));
}

const LICENSE_LIST: JsonObject = {
	licenses: LICENSES.map(({ id, name }, index) => ({ resourceId: id, name, licenseModules: buildModules(index + 1) })),
	allLicenseModules: buildModules(MODULES.length),
};

const TIME_ZONE_IDS = ['UTC', 'Europe/Berlin', 'Europe/Istanbul', 'America/New_York'];
const TIME_ZONES: JsonObject = {
	timeZoneList: TIME_ZONE_IDS.map((id) => ({ displayName: id.replaceAll('_', ' '), id })),
	dateFormatList: ['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy-MM-dd'],
	timeFormatList: ['24h', '12h'],
};

const CUSTOM_FIELD_LIST: JsonObject[] = CUSTOM_FIELD_NAMES.map((name, index) => ({
	resourceId: getCustomFieldId(name),
	name,
	ownerType: 'Company',
	fieldDataType: 'Text',
	isActive: true,
	sortOrder: index + 1,
	isEditable: true,
}));

/**
 * Creates the routes of the lists that users select from when they set up a company or an integration. All of them are
 * outside the contract.
 */
export function lookupRoutes(): Route[] {
	return [
		defineReadRoute('GET /api/lookups/licenses', () => LICENSE_LIST),
		defineReadRoute('GET /api/lookups/country-timezones', () =>
			CODE_TYPES.country.entries.map(({ name }) => ({
				countryCode: COUNTRY_CODES[name],
				dateFormat: 'dd/MM/yyyy',
				timeFormat: '24h',
				timezone: 'UTC',
				languageResourceId: CODE_TYPES.language.entries[0]?.resourceId,
			})),
		),
		defineReadRoute('GET /api/codetypes', () =>
			Object.values(CODE_TYPES).map(({ id, name }) => ({ id, name, description: `Every ${name.toLowerCase()}` })),
		),
		defineReadRoute('GET /api/lookups/{typeId}', ({ params }) =>
			listLookupEntries(
				requireFound(
					Object.values(CODE_TYPES).find(({ id }) => String(id) === params.typeId),
					'code type',
				),
			),
		),
		defineReadRoute('GET /api/timezone/timezones', () => TIME_ZONES),
		defineReadRoute('GET /api/custom-fields/company', () => CUSTOM_FIELD_LIST),
	].map(markOutsideContract);
}
