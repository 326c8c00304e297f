import type { Asker } from '../form/field';
import { isMissing, InvalidInput, rethrow, ServiceError } from '../transport/errors';
import { looksLikeId } from '../transport/request';
import type { Service } from '../transport/service';
import type { Source } from './listing';
import { plainName } from './shown';
import { havingName, listOf, type Choice } from '../values';

/** What can be given by name: how it is called, and where it is listed. */
interface Named {
	/** The name of the list's method, unique in its node. */
	method: string;
	thing: string;
	source: Source;
}

/** What was listed in each run, which has one Service: for each list, company, and field on which the list depends. */
const listed = new WeakMap<Service, Map<string, Promise<Choice[]>>>();

/** All that can be chosen, read once for each run and company. @throws ServiceError */
async function choicesOnce({ method, source }: Named, asker: Asker): Promise<Choice[]> {
	const service = await asker.service();
	const company = await asker.company();
	const known = listed.get(service) ?? new Map<string, Promise<Choice[]>>();
	listed.set(service, known);
	const fields = (source.dependsOn ?? []).map((path) => asker.parameters[path.replace(/\..*$/, '')]);
	const key = JSON.stringify([method, company?.id, fields]);
	const choices = known.get(key) ?? source.all(asker);
	known.set(key, choices);
	return await choices;
}

/**
 * The IDs of what was given by name or ID, at the company that is asked for. What is in a known form of IDs is one, and is not
 * looked up; another one is what is listed with this ID, or else with this name, exactly or at least alike (see `havingName`).
 * @throws InvalidInput for a name that nothing has, or several things have; ServiceError
 */
export async function idsOf(given: readonly string[], named: Named, asker: Asker): Promise<string[]> {
	if (given.every(looksLikeId)) return [...given];
	const company = await asker.company();
	const read = await choicesOnce(named, asker).catch(async (error: unknown) =>
		isUnreadable(error) ? undefined : await rethrow(error),
	);
	const choices = read ?? [];
	const isListed = choices.length > 0 || (read !== undefined && !named.source.optional);
	const where = company ? ` at '${company.name || company.id}'` : '';
	return [...new Set(given.map((each) => idOf(each, choices, isListed, `${named.thing}${where}`)))];
}

/** Whether a platform lacks a list, or the credential's role may not read it: who gives IDs does not need it. */
const isUnreadable = (error: unknown) =>
	isMissing(error) || (error instanceof ServiceError && error.details.status === 403);

/** @param isListed whether all of them are listed @param which they are: "target group at 'Golden Crust'" */
function idOf(given: string, choices: Choice[], isListed: boolean, which: string): string {
	if (looksLikeId(given) || choices.some(({ id }) => id === given)) return given;
	// Without a list, an ID of another form cannot be told from a name.
	if (!isListed && /^[\w.-]+$/.test(given)) return given;
	const found = havingName(choices, given, ({ name }) => plainName(name));
	const [one, ...others] = found;
	if (one && others.length === 0) return one.id;
	if (one)
		throw new InvalidInput(
			`has '${given}', but more than one ${which} has that name`,
			[],
			`Choose one of them from the list, or give its ID: ${listOf(found.map(({ id }) => id))}.`,
		);
	const names = listOf(
		choices.map(({ name }) => plainName(name)),
		', ',
		5,
	);
	throw new InvalidInput(
		`has '${given}', but no ${which} has that name`,
		[],
		isListed
			? `Give the name as the platform shows it, or the ID. There ${choices.length === 0 ? 'is none' : `are: ${names}`}.`
			: 'The platform does not list them, so that a name cannot be found: give the ID.',
	);
}
