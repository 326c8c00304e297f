import { z } from 'zod';

import { identityOf } from '../answer/paging';
import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { toJson } from '../transport/envelope';
import { firstAvailable, readHelper, noteEntry, whole, type Source } from './sources';
import type { Entry, Filled } from './listing';
import { parseTyped, picker, severalOf } from './picker';

/** What the platform itself knows the values of, by the words that its kinds are told by: their names differ. */
const KINDS = {
	country: ['countr'],
	industry: ['industr'],
	'license period type': ['licenseperiod', 'licenceperiod'],
	language: ['preferredlanguage', 'language'],
	'notification template type': ['notificationtemplate'],
	'training content type': ['trainingcontent'],
	'SMTP configuration type': ['smtpconfiguration', 'smtp'],
} as const;
export type Kind = keyof typeof KINDS;

const records = z.array(z.record(z.unknown()));
const entriesOf = (listed: z.infer<typeof records> = []): Entry[] =>
	listed
		.map((each) => toJson(each))
		.map((each) => ({
			id: identityOf(each, ['resourceId']),
			name: identityOf(each, ['name', 'isoFriendlyName', 'code']),
		}));

const codeTypes = z.array(
	z.object({ id: z.union([z.number(), z.string()]).transform(String), name: z.string() }).passthrough(),
);

/** The ID of the kind's list among all; of several that fit, the one with the shortest name is about nothing else. */
function listOf(kind: Kind, types: z.infer<typeof codeTypes>): string | undefined {
	const spelled = types.map(({ id, name }) => ({ id, name: name.toLowerCase().replace(/[^a-z]/g, '') }));
	const found =
		KINDS[kind].map((word) => spelled.filter(({ name }) => name.includes(word))).find(({ length }) => length > 0) ?? [];
	return [...found].sort((one, other) => one.name.length - other.name.length)[0]?.id;
}

/** The values of a kind (deployment shapes: codetypes, lookups/{typeId}), in the platform's order. */
export const valuesOf = (kind: Kind): Source =>
	whole(async (filled) => {
		const types = await readHelper(filled, { contract: 'GET /api/codetypes', shape: codeTypes });
		const typeId = listOf(kind, types ?? []);
		if (typeId === undefined) return undefined;
		return entriesOf(
			await readHelper(filled, { contract: 'GET /api/lookups/{typeId}', path: { typeId }, shape: records }),
		);
	});

const LICENSES = {
	contract: 'GET /api/lookups/licenses',
	shape: z.object({ licenses: records, allLicenseModules: records }).partial(),
} as const;

/** The licence types that a reseller can give (deployment shapes: lookups/licenses). */
export const licenseTypes: Source = whole(async (filled) => entriesOf((await readHelper(filled, LICENSES))?.licenses));

/** A field for a text that is chosen where the platform lists what it may be, and typed elsewhere. */
function typed(
	rules: Label & { method: string; thing: string; plural: string; example?: string; default?: string },
	source: Source,
): Field<string | undefined> {
	const field = picker({
		...rules,
		required: rules.required ?? false,
		search: firstAvailable([source], `This platform does not list its ${rules.plural}: choose 'By ID' and enter it`),
	});
	return { ...field, parse: (raw) => parseTyped(raw, rules.required ? 1 : 0) };
}

/** Chooses one of the values that the platform keeps a list of, such as a country. */
export const lookupPicker = (label: Label & { method: string }, kind: Kind) =>
	typed({ ...label, thing: kind, plural: kind === 'country' ? 'countries' : `${kind}s` }, valuesOf(kind));

const formats = z.object({ dateFormatList: z.array(z.string()), timeFormatList: z.array(z.string()) }).partial();

/** Chooses how dates or times are written (deployment shapes: timezone/timezones). */
export const formatPicker = (label: Label & { method: string; default: string }, of: 'date' | 'time') =>
	typed(
		{ ...label, thing: `${of} format`, plural: `${of} formats`, example: label.default },
		whole(async (filled) => {
			const lists = await readHelper(filled, { contract: 'GET /api/timezone/timezones', shape: formats });
			return lists?.[`${of}FormatList`]?.map((format) => ({ id: format, name: format }));
		}),
	);

/** Chooses several of the modules that a licence can have (deployment shapes: lookups/licenses). @param typedIn the field for their IDs */
export const licenseModulesPicker = (label: Label, typedIn: string): Field<string[]> =>
	severalOf({
		...label,
		method: 'loadLicenseModules',
		thing: 'license module',
		entries: async (filled: Filled) => {
			const entries = entriesOf((await readHelper(filled, LICENSES))?.allLicenseModules);
			return entries.length > 0
				? entries
				: [noteEntry(`This platform does not list its license modules: enter their IDs in '${typedIn}'`)];
		},
	});
