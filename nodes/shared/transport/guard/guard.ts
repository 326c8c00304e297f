import type { IHttpRequestOptions } from 'n8n-workflow';

import { accessOf, parseUrl, type Access, type Connection } from '../connection';
import type { Envelope } from '../envelope';
import type { ContractKey } from '../request';
import { jsonOrUndefined } from '../json';
import type { Caller } from './agent';
import { filterCompanies } from './companies';
import type { Limits } from './limits';
import { hasMembers, mayNameCompany, otherCompanyIn, type IsAllowed } from './naming';
import * as refusal from './refusal';
import { ruleAt, ruleFor, UNCERTAIN, UNKNOWN, type Effect, type Rule } from './rules';

/** A file that the service itself leads to by a redirect; the request before it was allowed. */
const FOLLOWED: Rule = { effect: 'read', binding: 'header' };

/** The role of clients that act for their own company only (contract 5.5). */
const OWN_COMPANY_ONLY = 'Company Admin';

const isFree = ({ readOnly, companies, agents }: Limits) =>
	!readOnly && companies === undefined && agents === 'everything';

/**
 * Decides whether a request may be sent, by the limits of the credential and by who calls the node. It judges the finished
 * request: its method, address, headers and body. What it does not know counts as a write that names no company.
 */
export class Guard {
	constructor(private readonly caller: Caller) {}

	/**
	 * Checks a request that is ready to be sent.
	 * @param connection the credential; without a token the request's company may be unknown, so it must be checked again
	 * @param isFollowed whether the service's answer led to it
	 * @throws GuardRefusal
	 */
	check(options: IHttpRequestOptions, connection: Connection, isFollowed = false): void {
		const { limits } = connection;
		if (isFree(limits) && !this.caller.isTool) return;
		const { method = 'GET' } = options;
		const url = parseUrl(options.url);
		const segments = url && segmentsOf(url);
		const found = segments && ruleAt(method, segments);
		const otherwise = segments && method !== 'DELETE' ? UNKNOWN : UNCERTAIN;
		const rule = found?.rule ?? (isFollowed && method === 'GET' && segments ? FOLLOWED : otherwise);
		this.checkEffect(rule.effect, limits);
		if (!limits.companies || !url) return;
		checkCompanies({ rule, values: found?.values ?? [], options, url, connection }, limits.companies);
	}

	/**
	 * Checks before the first of several requests whether all of them are allowed.
	 * @param contracts their contract keys
	 * @throws GuardRefusal
	 */
	checkAll(contracts: readonly ContractKey[], { limits }: Connection): void {
		for (const contract of contracts) this.checkEffect(ruleFor(contract).effect, limits);
	}

	/**
	 * Whether the credential allows an operation at all, for at least one company.
	 * @param contract its contract key
	 */
	allows(contract: ContractKey, { limits }: Connection): boolean {
		const { effect, binding } = ruleFor(contract);
		try {
			this.checkEffect(effect, limits);
		} catch {
			return false;
		}
		return limits.companies === undefined || (limits.companies.size > 0 && binding !== 'none');
	}

	/**
	 * Whether only the allowed companies are left in the answers of an operation.
	 * @param contract its contract key
	 */
	isFiltered = (contract: string, { limits }: Connection): boolean =>
		limits.companies !== undefined && ['list', 'path', 'own'].includes(ruleFor(contract).binding);

	/**
	 * Leaves only the allowed companies in an answer.
	 * @param contract the contract key of the request
	 * @throws GuardRefusal for an answer that is the record of another company
	 */
	filter(envelope: Envelope, contract: string, connection: Connection): Envelope {
		const { companies } = connection.limits;
		if (!companies || !this.isFiltered(contract, connection)) return envelope;
		const { binding } = ruleFor(contract);
		const { otherFields: _others, data, ...rest } = envelope;
		if (data === undefined) return { ...rest, data };
		const filtered = filterCompanies(data, allowedBy(companies), binding === 'path');
		if (filtered === undefined) throw refusal.answeredForAnother();
		return { ...rest, data: filtered };
	}

	/** What a token says about its client; its company only if that is allowed. */
	shownAccess(connection: Connection): Access {
		const access = accessOf(connection);
		const { companies } = connection.limits;
		if (!companies || (access.companyResourceId !== null && allowedBy(companies)(access.companyResourceId)))
			return access;
		return { ...access, companyResourceId: null, companyName: null };
	}

	private checkEffect(effect: Effect, { readOnly, agents }: Limits): void {
		const { isTool, isAgent, isCalled } = this.caller;
		// Who called a workflow is not known for certain, so it counts as an agent's.
		const mayBeAgent = isAgent || isCalled;
		if (mayBeAgent && agents === 'nothing') throw refusal.agentsDoNothing(isAgent);
		if (isTool && effect === 'delete') throw refusal.agentsDoNotDelete();
		if (effect === 'read') return;
		if (readOnly) throw refusal.readOnly();
		if (mayBeAgent && agents === 'readOnly') throw refusal.agentsOnlyRead(isAgent);
	}
}

const allowedBy =
	(companies: ReadonlySet<string>): IsAllowed =>
	(id) =>
		companies.has(id);

/** The parts of a path, decoded. @returns undefined if a service may read it in another way */
function segmentsOf({ pathname }: URL): string[] | undefined {
	try {
		const segments = pathname.split('/').slice(1).map(decodeURIComponent);
		return segments.some((segment) => /[%/\\]/.test(segment)) ? undefined : segments;
	} catch {
		return undefined;
	}
}

interface Finished {
	rule: Rule;
	/** The values in its path. */
	values: string[];
	options: IHttpRequestOptions;
	url: URL;
	connection: Connection;
}

/** @throws GuardRefusal */
function checkCompanies({ rule, values, options, url, connection }: Finished, companies: ReadonlySet<string>): void {
	if (companies.size === 0) throw refusal.noCompanyAtAll();
	const isAllowed = allowedBy(companies);
	const headers = Object.entries(options.headers ?? {}).map(([name, value]) => ({
		name: name.toLowerCase(),
		value: typeof value === 'string' ? value : '',
	}));
	const companyHeader = connection.companyHeader.toLowerCase();
	const isAboutCompany = (name: string) =>
		name === companyHeader || name === connection.enrollmentHeader.toLowerCase() || mayNameCompany(name);
	if (!headers.every(({ name, value }) => !isAboutCompany(name) || isAllowed(value))) throw refusal.notOneOfThese();
	const body = readableBody(options.body);
	switch (rule.binding) {
		case 'none':
			throw refusal.cannotName();
		case 'path':
			if (!values.every(isAllowed)) throw refusal.notOneOfThese();
			break;
		case 'members':
			if (!hasMembers(body)) throw refusal.noMembers();
			break;
		case 'header':
			if (!headers.some(({ name }) => name === companyHeader) && !isOwnAllowed(connection, isAllowed))
				throw refusal.namesNone();
			break;
		case 'own':
			if (!isOwnAllowed(connection, isAllowed)) throw refusal.notOwn();
			break;
		case 'list':
	}
	const looked = { isAllowed, isListOfCompanies: rule.binding === 'list' };
	const places = [options.qs, grouped(url.searchParams), body];
	const other = places.map((place) => otherCompanyIn(place, looked)).find((name) => name !== undefined);
	if (other !== undefined) throw refusal.namesAnother(other);
}

/**
 * A request without a company is for that of the credential, but a Reseller's may be for all companies. Without a token
 * nothing is known yet, and the request is checked again with one.
 */
function isOwnAllowed(connection: Connection, isAllowed: IsAllowed): boolean {
	if (!connection.hasToken) return true;
	const { role, companyResourceId } = accessOf(connection);
	return role === OWN_COMPANY_ONLY && companyResourceId !== null && isAllowed(companyResourceId);
}

/** Values by name; a name may be there several times. Files are left out. */
function grouped(pairs: Iterable<[string, unknown]>): Record<string, unknown[]> {
	const fields: Record<string, unknown[]> = {};
	for (const [name, value] of pairs) if (typeof value === 'string') (fields[name] ??= []).push(value);
	return fields;
}

/** A body as an object. @throws GuardRefusal for one whose content cannot be read here */
function readableBody(body: unknown): unknown {
	if (body === undefined || body === null) return undefined;
	if (body instanceof FormData) return grouped(body);
	const parsed = typeof body === 'string' ? jsonOrUndefined(body) : body;
	if (typeof parsed !== 'object' || parsed === null || Buffer.isBuffer(parsed)) throw refusal.cannotName();
	return parsed;
}
