/** Finds what belongs to other companies in whatever a node has said. */
import { SIMULATORS } from '../../stand-in/personality';
import type { IDataObject } from 'n8n-workflow';
import type { State } from '../../stand-in';

/** What a node has said. */
export interface Said {
	texts: string[];
	/** The items that came out, if it worked. */
	items: IDataObject[];
	/** Why it did not work. */
	error: string | undefined;
	/** Everything that it was given. */
	given: string;
}

/** What belongs to whom. */
export interface Belongings {
	/** Identifiers and addresses of people, each of one company. */
	owners: ReadonlyMap<string, string>;
	/** Names of companies, by their IDs. */
	names: ReadonlyMap<string, string>;
}

/** Everything that a service has and that tells of one company. */
export function belongingsOf(state: State): Belongings {
	const owners = new Map<string, string>();
	const shared = new Set<string>();
	const owns = (company: string, thing: string) => {
		if ((owners.get(thing) ?? company) !== company) shared.add(thing);
		owners.set(thing, company);
	};
	for (const { companyResourceId: company } of [state.reseller, ...state.companies]) {
		const { users, targetGroups, enrollments, clients, scim, ...holdings } = state.of(company);
		owns(company, company);
		for (const { resourceId, email } of users) for (const thing of [resourceId, email]) owns(company, thing);
		for (const { resourceId } of [...targetGroups, ...enrollments, ...clients, ...scim]) owns(company, resourceId);
		for (const simulator of SIMULATORS)
			for (const { resourceId } of state.of(company).campaigns(simulator)) owns(company, resourceId);
		for (const { resourceId } of [...holdings.systemUsers, ...holdings.emailSettings]) owns(company, resourceId);
	}
	for (const thing of shared) owners.delete(thing);
	// The reseller's own name is in every record of a customer.
	const names = new Map(
		state.companies.flatMap(({ companyResourceId, companyName }): Array<[string, string]> =>
			(companyName ?? '').length > 6 ? [[companyResourceId, companyName ?? '']] : [],
		),
	);
	return { owners, names };
}

const GUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Pieces of a text that may be an identifier or an address of a person. */
const piecesOf = (text: string): string[] => [...text.split(/[^\w@.+-]+/), ...(text.match(GUIDS) ?? [])];

/**
 * What of other companies is in texts.
 * @param said everything that a node has said
 * @param given everything that it was given: what is repeated from there tells nobody anything new
 * @param companies the only ones that there may be
 */
export function leaksIn(
	said: readonly string[],
	given: string,
	companies: ReadonlySet<string>,
	{ owners, names }: Belongings,
): string[] {
	const found = new Set<string>();
	const isOther = (company: string) => !companies.has(company) && !companies.has(company.toUpperCase());
	const own = [...companies].map((company) => names.get(company) ?? '');
	const others = [...names].filter(
		([company, name]) => isOther(company) && !given.includes(name) && !own.some((each) => each.includes(name)),
	);
	for (const text of said) {
		for (const piece of piecesOf(text)) {
			const owner = owners.get(piece);
			if (owner !== undefined && isOther(owner) && !given.includes(piece))
				found.add(`'${piece}' of the company '${names.get(owner) ?? owner}'`);
		}
		for (const [, name] of others) if (text.includes(name)) found.add(`the name '${name}'`);
	}
	return [...found];
}
