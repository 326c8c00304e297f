import type { Asker } from '../form/field';
import { isMissing, InvalidInput, rethrow, ServiceError } from '../transport/errors';
import { isGuid } from '../transport/request';
import type { Service } from '../transport/service';
import { mayBeSeveral, readEntry, splitName, writeEntry } from './entryText';
import type { Source, WholeList } from './listing';
import { plainName } from './shown';
import { indexByName, isMasked, listOf, normalized, type Choice } from '../values';

/** A kind of things that can be given by name: how it is called, and where it is listed. */
interface Named {
	/** The name of the list's method, unique in its node. */
	method: string;
	thing: string;
	source: Source;
}

/** A list that was read in this run, and whose it is. */
interface KnownList extends WholeList {
	method: string;
	company: Choice | undefined;
	ids: ReadonlySet<string>;
	/** Finds the entries of a name, exactly or at least alike (see `havingName`). */
	findByName: (name: string) => Choice[];
}

/** The lists of each run, which has one Service: one for each list, company, and field on which the list depends. */
const knownLists = new WeakMap<Service, Map<string, Promise<KnownList>>>();

/** The list of a platform that has none, or of a role that may not read it. */
const NO_LIST: WholeList = { choices: [], isComplete: true, isAbsent: true };

const asKnown = (list: WholeList, method: string, company: Choice | undefined): KnownList => ({
	...list,
	method,
	company,
	ids: new Set(list.choices.map(({ id }) => id)),
	findByName: indexByName(list.choices, ({ name }) => plainName(name)),
});

/** Whether a platform lacks a list, or the credential's role may not read it: who gives IDs does not need it. */
const isUnreadable = (error: unknown) =>
	isMissing(error) || (error instanceof ServiceError && error.details.status === 403);

/**
 * Reads all that can be chosen, once for each run and company. That there is no such list (403, 404) is kept. Any other failure is
 * not, so that the next item tries again.
 * @throws ServiceError
 */
async function readOnce({ method, source }: Named, asker: Asker): Promise<KnownList> {
	const service = await asker.service();
	const company = await asker.company();
	const lists = knownLists.get(service) ?? new Map<string, Promise<KnownList>>();
	knownLists.set(service, lists);
	const fields = (source.dependsOn ?? []).map((path) => asker.parameters[rootOf(path)]);
	const key = JSON.stringify([method, company?.id, fields]);
	let reading = lists.get(key);
	if (reading === undefined) {
		reading = source
			.all(asker)
			.catch((error: unknown) => (isUnreadable(error) ? NO_LIST : rethrow(error)))
			.then((list) => asKnown(list, method, company));
		lists.set(key, reading);
		reading.catch(() => lists.delete(key));
	}
	return await reading;
}

/** The name of the customer from whose list an entry was chosen, if that list was read in this run. */
async function customerOfEntry(id: string, { method }: Named, asker: Asker): Promise<string | undefined> {
	const lists = knownLists.get(await asker.service()) ?? new Map<string, Promise<KnownList>>();
	const known = await Promise.allSettled(lists.values());
	for (const each of known) {
		if (each.status !== 'fulfilled' || each.value.method !== method) continue;
		const { company, ids } = each.value;
		if (ids.has(id)) return company && (company.name || company.id);
	}
	return undefined;
}

/** The field of the form in a path such as 'company.value'. */
const rootOf = (path: string) => path.replace(/\..*$/, '');

/** Whether an entry may have been chosen from another customer's list: a field that decides whose list it is is an expression. */
const mayBeOfAnother = ({ source }: Named, { isVariable }: Asker): boolean =>
	(source.dependsOn ?? []).some((path) => isVariable?.(rootOf(path)) === true);

/**
 * The IDs of what was given by name, by ID or as entries of a list, at the company that is asked for. A GUID is an ID. An entry is
 * its ID; where it may be of another customer, it is what is listed with that ID, or else with that name. Any other text is what is
 * listed with this name, exactly or at least alike (see `havingName`), or else with this ID.
 * @throws InvalidInput for a name that nothing has, or several things have; ServiceError
 */
export async function idsOf(texts: readonly string[], named: Named, asker: Asker): Promise<string[]> {
	const isChecked = mayBeOfAnother(named, asker);
	const ids: string[] = [];
	for (const text of texts) {
		const entry = readEntry(text);
		if (entry) ids.push(isChecked ? await idOfEntry(entry, named, asker, 'has') : entry.id);
		else ids.push(isGuid(text) ? text : await idOfText(text, named, asker));
	}
	return [...new Set(ids)];
}

/**
 * Splits what stands before the ID of an entry where it may be several texts: "Sales, Everybody ⟨ID b⟩". The list decides where the
 * name of the entry begins: the name that it has for this ID or, at another customer, one that it has at all.
 * @param texts those of one text, which was split behind each entry
 * @throws InvalidInput if the list doesn't tell; ServiceError
 */
export async function splitByList(texts: readonly string[], named: Named, asker: Asker): Promise<string[]> {
	const parts: string[] = [];
	for (const text of texts) {
		const entry = readEntry(text);
		if (entry && mayBeSeveral(entry)) parts.push(...(await splitEntry(entry, named, asker)));
		else parts.push(text);
	}
	return parts;
}

async function splitEntry({ id, name: text }: Choice, named: Named, asker: Asker): Promise<string[]> {
	const list = await readOnce(named, asker);
	const listed = list.choices.find((choice) => choice.id === id);
	const isListed = (name: string) =>
		listed ? normalized(plainName(listed.name)) === normalized(name) : list.findByName(name).length > 0;
	const [only, ...others] = splitName(text).filter(({ name }) => isListed(name));
	if (only && others.length === 0) return [...only.before, writeEntry({ id, name: only.name })];
	throw new InvalidInput(
		`has '${text}', which may be one name or several`,
		[],
		'Give a list with one entry for each, such as {{ ["Sales", "Everybody"] }}.',
	);
}

/**
 * The ID of one entry that was chosen from a list, at the company that is asked for.
 * @throws InvalidInput for one that this company does not have; ServiceError
 */
export async function idOfOne(entry: Choice, named: Named, asker: Asker): Promise<string> {
	return mayBeOfAnother(named, asker) ? await idOfEntry(entry, named, asker, 'is') : entry.id;
}

async function idOfText(text: string, named: Named, asker: Asker): Promise<string> {
	const list = await readOnce(named, asker);
	// Without a list, an ID cannot be told from a name.
	if (list.isAbsent && /^[\w.-]+$/.test(text)) return text;
	const where = await describe(named, asker);
	const id = idByName(text, list, where, asker, 'has');
	if (id !== undefined) return id;
	if (list.ids.has(text)) return text;
	throw new InvalidInput(`has '${text}', but no ${where} has that name`, [], adviceFor(list));
}

async function idOfEntry({ id, name }: Choice, named: Named, asker: Asker, verb: Verb): Promise<string> {
	const list = await readOnce(named, asker);
	if (list.isAbsent || list.ids.has(id)) return id;
	const where = await describe(named, asker);
	const idHere = idByName(name, list, where, asker, verb);
	if (idHere !== undefined) return idHere;
	const customer = await customerOfEntry(id, named, asker);
	const origin = customer === undefined ? "another customer's list" : `the list of '${customer}'`;
	throw new InvalidInput(
		`${verb} '${name}', which was chosen from ${origin}, but no ${where} has that name`,
		[],
		adviceFor(list),
	);
}

/** The verb after a field's name: a list "has" an entry, a single field "is" one. */
type Verb = 'has' | 'is';

/** The words for where a thing is looked for: "target group at 'Golden Crust'". */
async function describe({ thing }: Named, asker: Asker): Promise<string> {
	const company = await asker.company();
	return company ? `${thing} at '${company.name || company.id}'` : thing;
}

/**
 * The ID of the only listed thing of a name.
 * @returns undefined if nothing has the name
 * @throws InvalidInput if several have it, if it is masked or, for a write, if the list lacks some that may have it as well
 */
function idByName(name: string, list: KnownList, where: string, asker: Asker, verb: Verb): string | undefined {
	// Different names look alike when they are masked.
	if (isMasked(name))
		throw new InvalidInput(
			`${verb} '${name}', which the platform has masked, so it can't be found by name`,
			[],
			'Choose it from the list of this customer, or give its ID.',
		);
	const matching = list.findByName(name);
	const [one, ...others] = matching;
	if (one === undefined) return undefined;
	if (others.length > 0)
		throw new InvalidInput(
			`${verb} '${name}', but more than one ${where} has that name`,
			[],
			`Choose one of them from the list, or give its ID: ${listOf(matching.map(({ id, name: its }) => `${plainName(its)} (${id})`))}.`,
		);
	if (!list.isComplete && asker.isWrite === true)
		throw new InvalidInput(
			`${verb} '${name}', but the platform did not list every ${where}, so another one may have that name`,
			[],
			'Nothing was changed. Give its ID instead. A role that may see only a part of the list cannot use names here.',
		);
	return one.id;
}

/** What to do about a name that is not in a list. */
function adviceFor({ choices, isComplete, isAbsent }: WholeList): string {
	if (isAbsent) return 'The platform does not list them, so that a name cannot be found: give the ID.';
	if (!isComplete)
		return 'The platform did not list all of them. If you gave a name, give the ID. If you gave the ID, run the node again, or use a credential whose role may see the whole list.';
	if (choices.length === 0) return 'Give the name as the platform shows it, or the ID. There is none.';
	const names = choices.map(({ name }) => plainName(name));
	return `Give the name as the platform shows it, or the ID. There are: ${listOf(names, ', ', 5)}.`;
}
