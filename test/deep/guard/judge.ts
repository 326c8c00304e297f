/** Judges requests as they arrived, by the contract alone. */
import { numericId } from '../../stand-in/random';
import { decoded, isDeleting, isWrite, namingsOf, reachOf, type Naming } from './contract';
import type { Arrived } from './front';
import { leaksIn, type Belongings, type Said } from './leaks';
import type { Rules } from './settings';

/** What a judge knows of the service. */
export interface Known {
	/** The header by which this service is told the company, in lower case. */
	header: string;
	/** Who is in a group of companies before the request. */
	membersOf: (group: string) => readonly string[];
}

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether an ID is one of those listed. That of a GUID may be written in capitals, that of others may not. */
function isListed(value: string, listed: ReadonlySet<string>): boolean {
	const given = value.trim();
	if (listed.has(given)) return true;
	if (GUID.test(given)) return [...listed].some((id) => id.toLowerCase() === given.toLowerCase());
	// Some requests take the number that a platform has for a company.
	return /^\d+$/.test(given) && [...listed].some((id) => String(numericId(id)) === given);
}

/** A request as it is when every percent sign and every '..' in its address is resolved. */
function resolved(request: Arrived): Arrived {
	const address = decoded(request.target).replaceAll('\\', '/');
	const { pathname, search } = new URL(address.replace(/^\/+/, '/'), 'http://service');
	return { ...request, target: decoded(pathname) + search };
}

/** @returns what is wrong with a request, in words; nothing if it may arrive */
function complaintsOf(request: Arrived, rules: Rules, isAgent: boolean, known: Known): string[] {
	const told = `${request.method} ${request.target}`;
	const wrong: string[] = [];
	if (rules.nothing) wrong.push(`${told}: a request, where there must be none`);
	if (!rules.writes && isWrite(request)) wrong.push(`${told}: a write, where only reads are allowed`);
	if (isAgent && isDeleting(request)) wrong.push(`${told}: an agent deletes something`);
	const { companies } = rules;
	if (companies === undefined) return wrong;

	// What is empty names nobody.
	const named = (each: Arrived) => namingsOf(each, known.header).filter(({ value }) => value.trim() !== '');
	for (const { where, name, value } of [...named(request), ...named(resolved(request))])
		if (!isListed(value, companies)) wrong.push(`${told}: the ${where} '${name}' names '${value}'`);
	if (
		decoded(request.target.split('?')[0] ?? '')
			.split(/[/\\]/)
			.includes('..')
	)
		wrong.push(`${told}: the path leads elsewhere`);
	wrong.push(...reaching(request, named(request), companies, known).map((reason) => `${told}: ${reason}`));
	return wrong;
}

/** Everything that is wrong with what arrived and with what was said. @param given what whoever asked knew before */
export function judged(
	{ arrived, said }: { arrived: readonly Arrived[]; said: Said },
	rules: Rules,
	isAgent: boolean,
	{ known, belongings, given }: { known: Known; belongings: Belongings; given: string },
): string[] {
	const wrong = arrived.flatMap((request) => complaintsOf(request, rules, isAgent, known));
	const leaks = rules.companies ? leaksIn(said.texts, said.given + given, rules.companies, belongings) : [];
	return [...wrong, ...leaks.map((leak) => `it tells ${leak}`)];
}

/** Whether a request could reach another company because it is not limited to one. */
function reaching(
	request: Arrived,
	namings: readonly Naming[],
	companies: ReadonlySet<string>,
	{ membersOf }: Known,
): string[] {
	const reach = reachOf(request);
	switch (reach.kind) {
		case 'platform':
		case 'companies':
			return [];
		case 'all':
			return ['it cannot be limited to a company'];
		case 'group': {
			const others = reach.id === undefined ? [] : membersOf(reach.id).filter((id) => !isListed(id, companies));
			const isNamed = namings.some(({ where }) => where === 'body');
			return [
				...(isNamed ? [] : ['it names no company']),
				...(others.length > 0 ? [`it changes a group in which ${others.length} other companies are`] : []),
			];
		}
		case 'one':
			return namings.some(({ where }) => where === 'header' || where === 'query' || where === 'path')
				? []
				: ['it names no company'];
	}
}
