/** What a credential says it may do, in every way that somebody could write it, and what that must mean. */
import fc from 'fast-check';
import { isUndefined, omitBy } from 'lodash';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { asCredentialData } from '../../n8n-core/shapes';

/** What must hold for what a node does with a credential. */
export interface Rules {
	/** The only companies there are, as they are written in the credential; undefined: all. */
	companies: ReadonlySet<string> | undefined;
	/** Nothing may be asked at all. */
	nothing: boolean;
	writes: boolean;
	/** Whether it is plain what must work: a setting that nobody can choose may refuse more than it has to. */
	clear: boolean;
}

/** Companies as a person lists them. */
interface List {
	/** @param ids those that are meant @param other one that is not */
	write: (ids: string[], other: string) => unknown;
	/** What is listed, at most. */
	bound: (ids: string[], other: string) => string[];
	clear?: boolean;
}

const all = (ids: string[]) => ids;
const none = () => [];

/** Lists that say which companies. */
const GOOD: List[] = [
	...[', ', ' ', '\n', ',', '\r\n', ' ,\n ', '\t'].map((between) => ({
		...{ write: (ids: string[]) => ids.join(between), bound: all, clear: true },
	})),
	{ write: (ids) => ` ,${ids.join(',,')}, \n`, bound: all, clear: true },
	{ write: (ids) => [...ids, ...ids].join(' '), bound: all, clear: true },
	{ write: (ids) => `={{ ${JSON.stringify(ids.join(','))} }}`, bound: all, clear: true },
];

/** Lists of nothing. */
const EMPTY: List[] = [
	...['', ' ', ',', ' ,\n, ', '\n', undefined, null, [], {}, false, 0, '={{ "" }}', '={{ undefined }}', '={{ [] }}'],
	...['*', '%', '..', '/', '"', '""', ',;', '{}', '[]', '={{ $json.nothing }}', '.*', '?', '\\'],
].map((value) => ({ write: () => value, bound: none }));

/** Lists that are wrong: what they say is at most what is legible. */
const ODD: List[] = [
	{ write: (_, other) => other.slice(0, -1), bound: (_, other) => [other.slice(0, -1)] },
	{ write: (_, other) => other.slice(1), bound: (_, other) => [other.slice(1)] },
	{ write: (_, other) => `${other}x`, bound: (_, other) => [`${other}x`] },
	{ write: () => 'all', bound: () => ['all'] },
	{ write: () => 'every', bound: () => ['every'] },
	{ write: (ids) => `${ids.join(',')}, *`, bound: (ids) => [...ids, '*'] },
	{
		write: (ids, other) => `${ids.join(',')},${other.slice(0, 8)}*`,
		bound: (ids, other) => [...ids, `${other.slice(0, 8)}*`],
	},
	{ write: (ids) => ids.map((id) => `"${id}"`).join(','), bound: all },
	{ write: (ids) => ids.join(';'), bound: all },
	{ write: (ids) => ids, bound: all },
	{ write: (ids) => ids.join(',').toUpperCase(), bound: (ids) => [...ids, ...ids.map((id) => id.toUpperCase())] },
	{ write: (ids, other) => `${ids.join(',')}, !${other}`, bound: (ids, other) => [...ids, `!${other}`] },
];

/** An expression about something that does not exist: set, but to nothing. */
export const NO_VALUE = '={{ $vars.none }}';

/** Values of a setting; `undefined` is a credential that was saved before there was such a setting. */
const WHAT = [NO_VALUE, undefined, 'everything', 'readOnly', 'readonly', 'READ_ONLY', 'nothing', 'write'] as const;
const AGENTS = [NO_VALUE, undefined, 'everything', 'readOnly', 'nothing', 'none', 'NOTHING', 'readonly'] as const;
const ONLY = [NO_VALUE, undefined, false, true, 'true', 'yes', 1, '={{ true }}'] as const;

/** A credential's settings, before it is known which companies there are. */
export interface Settings {
	what: (typeof WHAT)[number];
	agents: (typeof AGENTS)[number];
	only: (typeof ONLY)[number];
	list: List;
	/** A name of the header that no platform can have, or the right one. */
	header?: string | undefined;
}

/** As a credential is before anybody has set anything. */
export const OFF: Settings = {
	what: undefined,
	agents: undefined,
	only: undefined,
	list: { write: () => '', bound: none },
};
/** The same, chosen by hand. */
export const CHOSEN_OFF: Settings = {
	...{ what: 'everything', agents: 'everything', only: false },
	list: { write: (_, other) => other, bound: none },
};

const lists = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom(...GOOD) },
	{ weight: 2, arbitrary: fc.constantFrom(...EMPTY) },
	{ weight: 2, arbitrary: fc.constantFrom(...ODD) },
);
const mostly = <T>(usual: readonly T[], every: readonly T[]) =>
	fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...every) });

/** Headers that cannot say which company is meant: they mean something else, or are none. */
const NO_HEADERS = [
	'',
	' ',
	'X-Other',
	'X-Other-Company-Id',
	'Via',
	'Authorization',
	'Content-Type',
	'Accept',
	'Host',
	'X-A\r\nX-B',
	'X A',
	'Content-Length',
];

/** Random settings, most of which limit the companies. */
export const settings: fc.Arbitrary<Settings> = fc.record({
	what: mostly([undefined, 'everything', 'readOnly'], WHAT),
	agents: mostly([undefined, 'everything', 'readOnly', 'nothing'], AGENTS),
	only: fc.oneof(
		{ weight: 10, arbitrary: fc.constant(true) },
		{ weight: 2, arbitrary: fc.constantFrom(undefined, false) },
		{ weight: 1, arbitrary: fc.constantFrom(...ONLY) },
	),
	list: lists,
	header: fc.oneof(
		{ weight: 15, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.constantFrom(...NO_HEADERS) },
	),
});

/** The fields of the credential; what is undefined is not in it at all. */
export function fieldsOf(
	{ what, agents, only, list, header }: Settings,
	ids: string[],
	other: string,
): ICredentialDataDecryptedObject {
	const fields: Record<string, unknown> = {
		...{ whatItMayDo: what, agents, onlyTheseCompanies: only, companyIds: list.write(ids, other) },
		...(header === undefined ? {} : { companyHeaderName: header }),
	};
	return asCredentialData(omitBy(fields, isUndefined));
}

/**
 * What must hold.
 * @param isAgent whether an AI agent calls the node as a tool
 */
export function rulesOf(
	{ what, agents, only, list, header }: Settings,
	ids: string[],
	other: string,
	isAgent: boolean,
): Rules {
	const isLimited = only !== undefined && only !== false;
	const bound = list.bound(ids, other);
	const isUnset = (value: string | undefined) => value === undefined || value === 'everything';
	return {
		companies: isLimited ? new Set(bound) : undefined,
		nothing: (isLimited && bound.length === 0) || (isAgent && agents === 'nothing'),
		writes: isUnset(what) && (!isAgent || isUnset(agents)),
		clear:
			header === undefined &&
			(!isLimited || (only === true && list.clear === true)) &&
			(isUnset(what) || what === 'readOnly') &&
			(!isAgent || isUnset(agents) || agents === 'readOnly'),
	};
}
