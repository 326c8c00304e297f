/** What a credential allows. */
export interface Limits {
	/** Whether only operations that change nothing are allowed. */
	readOnly: boolean;
	/** The IDs of the companies that are allowed; undefined for every company, empty for none at all. */
	companies: ReadonlySet<string> | undefined;
	/** What AI agents may do. */
	agents: 'everything' | 'readOnly' | 'nothing';
}

/** The names of the credential's fields, as a person sees them. */
export const FIELDS = {
	mayDo: 'What It May Do',
	onlyCompanies: 'Only These Companies',
	companyIds: 'Company IDs',
	agents: 'Agents',
} as const;

/** The characters of identifiers on all known deployments; anything else in the field is a mistake. */
const COMPANY_ID = /^[\w.~:-]{1,256}$/;

/**
 * The IDs in a text, separated by commas, semicolons or white space. Identifiers are opaque (contract 2), so they are compared exactly.
 * @returns none if any of them is invalid
 */
function companiesIn(typed: unknown): ReadonlySet<string> {
	const ids = typeof typed === 'string' ? typed.split(/[\s,;]+/).filter((id) => id !== '') : [];
	return new Set(ids.every((id) => COMPANY_ID.test(id) && !/^\.+$/.test(id)) ? ids : []);
}

/**
 * Reads the credential's fields for limits. A field that is missing is of a credential that was saved before it existed and
 * limits nothing; a value that the field does not offer means the strictest choice. So does a field that is there without a
 * value: n8n fills in the default of one that was never set, so an expression has no value, such as one for a deleted variable.
 */
export function limitsOf(
	fields: Partial<Record<'whatItMayDo' | 'onlyTheseCompanies' | 'companyIds' | 'agents', unknown>>,
): Limits {
	const { whatItMayDo, onlyTheseCompanies, companyIds, agents }: typeof fields = {
		...{ whatItMayDo: 'everything', onlyTheseCompanies: false, agents: 'everything' },
		...fields,
	};
	return {
		readOnly: whatItMayDo !== 'everything',
		companies: onlyTheseCompanies === false ? undefined : companiesIn(companyIds),
		agents: agents === 'everything' || agents === 'readOnly' ? agents : 'nothing',
	};
}

/** The limits as one text, to see whether they were changed. */
export const limitsKey = ({ readOnly, companies, agents }: Limits) =>
	JSON.stringify([readOnly, companies ? [...companies].sort() : null, agents]);
