import { z } from 'zod';

import { identityOf } from '../answer/paging';
import type { Label } from '../form/label';
import type { Field } from '../form/field';
import { pluralOf } from '../transport/counted';
import { toJson } from '../transport/envelope';
import { firstAvailable, readOptionalOperation, noteEntry, wholeList, type Source } from './sources';
import type { Entry, Filled } from './listing';
import { parseTyped, picker, multiPicker } from './picker';

/**
 * The kinds of values that the platform keeps lists of, with words to recognise their lists: the names of the lists
 * differ.
 */
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

/**
 * The ID of the list for a kind. Of several that match, the one with the shortest name is taken, because it is about
 * nothing else.
 */
function listOf(kind: Kind, types: z.infer<typeof codeTypes>): string | undefined {
	const spelled = types.map(({ id, name }) => ({ id, name: name.toLowerCase().replace(/[^a-z]/g, '') }));
	const found =
		KINDS[kind].map((word) => spelled.filter(({ name }) => name.includes(word))).find(({ length }) => length > 0) ?? [];
	return [...found].sort((one, other) => one.name.length - other.name.length)[0]?.id;
}

/** The list of a kind's values (deployment shapes: codetypes, lookups/{typeId}), in the platform's order. */
export const valuesOf = (kind: Kind): Source =>
	wholeList(async (filled) => {
		const types = await readOptionalOperation(filled, { contract: 'GET /api/codetypes', shape: codeTypes });
		const typeId = listOf(kind, types ?? []);
		if (typeId === undefined) return undefined;
		return entriesOf(
			await readOptionalOperation(filled, { contract: 'GET /api/lookups/{typeId}', path: { typeId }, shape: records }),
		);
	});

const LICENSES = {
	contract: 'GET /api/lookups/licenses',
	shape: z.object({ licenses: records, allLicenseModules: records }).partial(),
} as const;

/** The list of license types that a reseller can assign (deployment shapes: lookups/licenses). */
export const licenseTypes: Source = wholeList(async (filled) =>
	entriesOf((await readOptionalOperation(filled, LICENSES))?.licenses),
);

/** A field for a text that is chosen from the platform's list, or typed where the platform has no such list. */
function textPicker(
	rules: Label & { method: string; thing: string; example?: string; default?: string },
	source: Source,
): Field<string | undefined> {
	const field = picker({
		...rules,
		required: rules.required ?? false,
		search: firstAvailable(
			[source],
			`This platform does not list its ${pluralOf(rules.thing)}: choose 'By ID' and enter it`,
		),
	});
	return { ...field, parse: (raw) => parseTyped(raw, rules.required ? 1 : 0) };
}

/** The field that chooses one of the platform's values, such as a country. */
export const lookupPicker = (label: Label & { method: string }, kind: Kind) =>
	textPicker({ ...label, thing: kind }, valuesOf(kind));

const formats = z.object({ dateFormatList: z.array(z.string()), timeFormatList: z.array(z.string()) }).partial();

/** The field that chooses the format of dates or times (deployment shapes: timezone/timezones). */
export const formatPicker = (label: Label & { method: string; default: string }, of: 'date' | 'time') =>
	textPicker(
		{ ...label, thing: `${of} format`, example: label.default },
		wholeList(async (filled) => {
			const lists = await readOptionalOperation(filled, { contract: 'GET /api/timezone/timezones', shape: formats });
			return lists?.[`${of}FormatList`]?.map((format) => ({ id: format, name: format }));
		}),
	);

/**
 * The field that chooses several modules of a license (deployment shapes: lookups/licenses).
 * @param typedIn the label of the field for their IDs
 */
export const licenseModulesPicker = (label: Label, typedIn: string): Field<string[]> =>
	multiPicker({
		...label,
		method: 'loadLicenseModules',
		thing: 'license module',
		entries: async (filled: Filled) => {
			const entries = entriesOf((await readOptionalOperation(filled, LICENSES))?.allLicenseModules);
			return entries.length > 0
				? entries
				: [noteEntry(`This platform does not list its license modules: enter their IDs in '${typedIn}'`)];
		},
	});
