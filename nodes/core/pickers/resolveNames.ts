import type { Asker } from '../fields/field';
import { InvalidInput, isUnreadable, rethrow } from '../http/errors';
import { isGuid } from '../http/request';
import type { Service } from '../http/client';
import { mayBeSeveral, readEntry, splitName, writeEntry } from './entryText';
import type { Source, WholeList } from './listSource';
import { plainName } from './labels';
import { indexByName, isMasked, listOf, normalized, type Choice } from '../values';

/** A kind of things that users can choose by name: the word for it, and the list that has it. */
interface Named {
	/** The name of the list's method, unique in its node. */
	method: string;
	thing: string;
	source: Source;
}

/** A list that was read in this run, and the company that it belongs to. */
interface KnownList extends WholeList {
	method: string;
	company: Choice | undefined;
	ids: ReadonlySet<string>;
	/** Finds the entries with a name; if none has it exactly, those with a similar one (see `havingName`). */
	findByName: (name: string) => Choice[];
}

/** The lists that each run has read. A run has one Service; a list's key is its method, its company, and the fields that it depends on. */
const knownLists = new WeakMap<Service, Map<string, Promise<KnownList>>>();

/** Stands for the list if the platform has none, or the credential's role may not read it. */
const NO_LIST: WholeList = { choices: [], isComplete: true, isAbsent: true };

const createKnownList = (list: WholeList, method: string, company: Choice | undefined): KnownList => ({
	...list,
	method,
	company,
	ids: new Set(list.choices.map(({ id }) => id)),
	findByName: indexByName(list.choices, ({ name }) => plainName(name)),
});

/**
 * Reads a whole list once for each run and company. That there is no such list (403, 404) is remembered. After any other failure the next
 * item tries again.
 * @throws ServiceError
 */
async function readOnce({ method, source }: Named, asker: Asker): Promise<KnownList> {
	const service = await asker.service();
	const company = await asker.company();
	const lists = knownLists.get(service) ?? new Map<string, Promise<KnownList>>();
	knownLists.set(service, lists);
	const fields = (source.dependsOn ?? []).map((path) => asker.parameters[readRootField(path)]);
	const key = JSON.stringify([method, company?.id, fields]);
	let reading = lists.get(key);
	if (reading === undefined) {
		reading = source
			.all(asker)
			.catch((error: unknown) => (isUnreadable(error) ? NO_LIST : rethrow(error)))
			.then((list) => createKnownList(list, method, company));
		lists.set(key, reading);
		reading.catch(() => lists.delete(key));
	}
	return await reading;
}

/** Finds the name of the customer whose list an entry was chosen from, if that list was read in this run. */
async function findCustomerOfEntry(id: string, { method }: Named, asker: Asker): Promise<string | undefined> {
	const lists = knownLists.get(await asker.service()) ?? new Map<string, Promise<KnownList>>();
	const readings = await Promise.allSettled(lists.values());
	for (const reading of readings) {
		if (reading.status !== 'fulfilled' || reading.value.method !== method) continue;
		const { company, ids } = reading.value;
		if (ids.has(id)) return company && (company.name || company.id);
	}
	return undefined;
}

/** Returns the name of the form's field in a path such as 'company.value'. */
const readRootField = (path: string) => path.replace(/\..*$/, '');

/** Returns true if an entry may come from another customer's list, because the field that decides on the list is an expression. */
const mayBeOfAnother = ({ source }: Named, { isVariable }: Asker): boolean =>
	(source.dependsOn ?? []).some((path) => isVariable?.(readRootField(path)) === true);

/**
 * Finds the IDs of names, IDs and list entries, at the company that the operation runs for. A GUID is always an ID. For an entry, its own
 * ID is used. If the entry may come from another customer's list, it is looked up: first by its ID, then by its name. Any other text is
 * looked up by name (see `havingName`), then as an ID.
 * @throws InvalidInput for a name that nothing has, or several things have; ServiceError
 */
export async function idsOf(texts: readonly string[], named: Named, asker: Asker): Promise<string[]> {
	const isChecked = mayBeOfAnother(named, asker);
	const ids: string[] = [];
	for (const text of texts) {
		const entry = readEntry(text);
		if (entry) ids.push(isChecked ? await findEntryId(entry, named, asker, 'has') : entry.id);
		else ids.push(isGuid(text) ? text : await findTextId(text, named, asker));
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
 * Finds the ID of an entry that was chosen from a list, at the company that the operation runs for.
 * @throws InvalidInput if this company doesn't have the entry; ServiceError
 */
export async function findChosenId(entry: Choice, named: Named, asker: Asker): Promise<string> {
	return mayBeOfAnother(named, asker) ? await findEntryId(entry, named, asker, 'is') : entry.id;
}

async function findTextId(text: string, named: Named, asker: Asker): Promise<string> {
	const list = await readOnce(named, asker);
	// Without a list, an ID cannot be told from a name.
	if (list.isAbsent && /^[\w.-]+$/.test(text)) return text;
	const where = await describeSearch(named, asker);
	const id = findIdByName(text, list, where, asker, 'has');
	if (id !== undefined) return id;
	if (list.ids.has(text)) return text;
	throw new InvalidInput(`has '${text}', but no ${where} has that name`, [], createAdvice(list));
}

async function findEntryId({ id, name }: Choice, named: Named, asker: Asker, verb: Verb): Promise<string> {
	const list = await readOnce(named, asker);
	if (list.isAbsent || list.ids.has(id)) return id;
	const where = await describeSearch(named, asker);
	const idHere = findIdByName(name, list, where, asker, verb);
	if (idHere !== undefined) return idHere;
	const customer = await findCustomerOfEntry(id, named, asker);
	const origin = customer === undefined ? "another customer's list" : `the list of '${customer}'`;
	throw new InvalidInput(
		`${verb} '${name}', which was chosen from ${origin}, but no ${where} has that name`,
		[],
		createAdvice(list),
	);
}

/** The verb of an error after the field's name: a field with several values "has" an entry, a field with one value "is" it. */
type Verb = 'has' | 'is';

/** Describes for an error what was looked up and where: "target group at 'Golden Crust'". */
async function describeSearch({ thing }: Named, asker: Asker): Promise<string> {
	const company = await asker.company();
	return company ? `${thing} at '${company.name || company.id}'` : thing;
}

/**
 * Finds the ID of the only entry with a name.
 * @returns undefined if no entry has the name
 * @throws InvalidInput if several entries have it, if it is masked or, for a write, if entries that may have it are missing from the list
 */
function findIdByName(name: string, list: KnownList, where: string, asker: Asker, verb: Verb): string | undefined {
	// Different names look alike when they are masked.
	if (isMasked(name))
		throw new InvalidInput(
			`${verb} '${name}', which the platform has masked, so it can't be found by name`,
			[],
			'Choose it from the list of this customer, or enter its ID.',
		);
	const matching = list.findByName(name);
	const [one, ...others] = matching;
	if (one === undefined) return undefined;
	if (others.length > 0)
		throw new InvalidInput(
			`${verb} '${name}', but more than one ${where} has that name`,
			[],
			`Choose one of them from the list, or enter its ID: ${listOf(matching.map(({ id, name: its }) => `${plainName(its)} (${id})`))}.`,
		);
	if (!list.isComplete && asker.isWrite === true)
		throw new InvalidInput(
			`${verb} '${name}', but the platform did not list every ${where}, so another one may have that name`,
			[],
			"Nothing was changed. Enter the ID instead. If the credential's role may see only a part of the list, names can't be used here.",
		);
	return one.id;
}

/** Creates the advice for a name that is not in a list. */
function createAdvice({ choices, isComplete, isAbsent }: WholeList): string {
	if (isAbsent) return "The platform doesn't list them, so names can't be looked up. Enter the ID instead.";
	if (!isComplete)
		return 'The platform did not list all of them. If you entered a name, enter the ID. If you entered the ID, run the node again, or use a credential whose role may see the whole list.';
	if (choices.length === 0) return 'Enter the name as the platform shows it, or the ID. The list is empty.';
	const names = choices.map(({ name }) => plainName(name));
	return `Enter the name as the platform shows it, or the ID. There are: ${listOf(names, ', ', 5)}.`;
}
