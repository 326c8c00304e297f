import { found } from '../envelope';
import { beside, reading, type Route, type Row } from '../http';
import { shortId } from '../random';
import { INDUSTRIES, LICENSES } from '../seed';
import { CUSTOM_FIELDS, customFieldId } from './lists';

interface Entry {
	resourceId: string;
	name: string;
}

const entry = (kind: string, name: string): Entry => ({ resourceId: shortId(`${kind} ${name}`), name });

interface CodeType {
	id: number;
	name: string;
	entries: readonly Entry[];
}

const codeType = (id: number, name: string, names: readonly string[]): CodeType => ({
	id,
	name,
	entries: names.map((each) => entry(name, each)),
});

// The kinds of values that a new company needs IDs of, each with its own number.
const CODE_TYPES = {
	industry: { id: 1, name: 'Industry', entries: INDUSTRIES.map(({ id, name }) => ({ resourceId: id, name })) },
	country: codeType(2, 'Country', ['Germany', 'Türkiye', 'United Kingdom', 'United States']),
	licensePeriod: codeType(3, 'License Period Type', ['1 Year', '2 Years', '3 Years']),
	notificationTemplate: codeType(4, 'Notification Template Type', ['Default', 'Plain']),
	trainingContent: codeType(5, 'Training Content Type', ['All', 'Own']),
	smtp: codeType(6, 'SMTP Configuration Type', ['Default', 'Own']),
	language: codeType(7, 'Preferred Language Type', ['English', 'Deutsch', 'Türkçe']),
} satisfies Record<string, CodeType>;

/** One of the kinds of things that a company's record has the identifier and the name of. */
export type CodeKind = keyof typeof CODE_TYPES;

const ISO: Record<string, string> = { Germany: 'DE', Türkiye: 'TR', 'United Kingdom': 'GB', 'United States': 'US' };

/** The thing of a kind by its identifier; the first one when there is no such. */
export function coded(kind: CodeKind, resourceId?: unknown): Entry & { code: string } {
	const { entries } = CODE_TYPES[kind];
	const { resourceId: id, name } = found(entries.find((each) => each.resourceId === resourceId) ?? entries[0], kind);
	return {
		resourceId: typeof resourceId === 'string' ? resourceId : id,
		name,
		code: ISO[name] ?? name.slice(0, 2).toUpperCase(),
	};
}

const SIMULATORS = ['Phishing Simulator', 'Smishing Simulator', 'Quishing Simulator'];
/** The modules of a licence. */
export const MODULES = ['Awareness Training', ...SIMULATORS];

const modules = (available: number): Row[] =>
	MODULES.map((name, at) => ({ ...entry('license module', name), isAvailable: at < available }));

function lookup({ id, name: type, entries }: CodeType): Row[] {
	return entries.map(({ resourceId, name }, at) => ({
		resourceId,
		genericCodeTypeId: id,
		genericCodeTypeName: type,
		name,
		code: name.toUpperCase().replaceAll(' ', '_'),
		description: `${type}: ${name}`,
		orderNumber: at + 1,
		isoCode: ISO[name] ?? null,
		isoFriendlyName: ISO[name] === undefined ? null : name,
	}));
}

const LICENSE_LIST: Row = {
	licenses: LICENSES.map(({ id, name }, at) => ({ resourceId: id, name, licenseModules: modules(at + 1) })),
	allLicenseModules: modules(MODULES.length),
};

const ZONES = ['UTC', 'Europe/Berlin', 'Europe/Istanbul', 'America/New_York'];
const TIME_ZONES: Row = {
	timeZoneList: ZONES.map((id) => ({ displayName: id.replaceAll('_', ' '), id })),
	dateFormatList: ['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy-MM-dd'],
	timeFormatList: ['24h', '12h'],
};

const CUSTOM_FIELD_LIST: Row[] = CUSTOM_FIELDS.map((name, at) => ({
	resourceId: customFieldId(name),
	name,
	ownerType: 'Company',
	fieldDataType: 'Text',
	isActive: true,
	sortOrder: at + 1,
	isEditable: true,
}));

/** The lists to choose from when a company or an integration is set up. None of them is in the contract. */
export function lookupRoutes(): Route[] {
	return [
		reading('GET /api/lookups/licenses', () => LICENSE_LIST),
		reading('GET /api/lookups/country-timezones', () =>
			CODE_TYPES.country.entries.map(({ name }) => ({
				countryCode: ISO[name],
				dateFormat: 'dd/MM/yyyy',
				timeFormat: '24h',
				timezone: 'UTC',
				languageResourceId: CODE_TYPES.language.entries[0]?.resourceId,
			})),
		),
		reading('GET /api/codetypes', () =>
			Object.values(CODE_TYPES).map(({ id, name }) => ({ id, name, description: `Every ${name.toLowerCase()}` })),
		),
		reading('GET /api/lookups/{typeId}', ({ params }) =>
			lookup(
				found(
					Object.values(CODE_TYPES).find(({ id }) => String(id) === params.typeId),
					'code type',
				),
			),
		),
		reading('GET /api/timezone/timezones', () => TIME_ZONES),
		reading('GET /api/custom-fields/company', () => CUSTOM_FIELD_LIST),
	].map(beside);
}
