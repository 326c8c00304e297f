import type { IDataObject } from 'n8n-workflow';
import { pickBy } from 'lodash';

import type { Answered, Produced, Session } from '../answer/answer';
import { withNumbers } from '../answer/numbers';
import { identityOf } from '../answer/page';
import type { ScopeChoice, ScopeKind, Target } from '../scope/scope';
import type { Access } from '../transport/connection';

/**
 * The first version of the nodes whose items fit the next node: with the company that they are of, IDs that a field of
 * another operation takes as they are, and numbers as numbers.
 */
export const FITTING = 1.1;

/**
 * The items of an operation in the form that the node's version has.
 * @param answered what the service answered, as whole records
 * @param add what the operation adds to each item in newer nodes
 */
export function fitted(
	answered: Answered[],
	{ version, pick }: Session,
	add: (json: IDataObject) => IDataObject = (json) => json,
): Produced[] {
	if (version < FITTING) return answered;
	return answered.map(({ only, ...each }) => {
		const json = withNumbers(add(each.json));
		return { ...each, json: only ? pick(json, only) : json };
	});
}

/** What is known about the company that an item of the output is of. */
interface Known {
	kind: ScopeKind;
	scope: ScopeChoice;
	target: Target;
	/** The node's version. */
	version: number;
	/** The fields of the input item. */
	input: IDataObject;
	/** What the credential's token says. */
	access: Access;
}

/** The company for an item of the output, as far as it is known without a further request. */
export function stampOf({ kind, scope, target: { company }, version, input, access }: Known): IDataObject {
	if (company && scope.kind === 'every') return { companyName: company.name, companyResourceId: company.id };
	if (version < FITTING || kind === 'credential') return {};
	if (!company) return ownStamp(access);
	// A company that was not chosen from the list has no name there.
	const companyName =
		company.name || nameIn(input, company.id) || (access.companyResourceId === company.id && access.companyName);
	return { ...(companyName ? { companyName } : {}), companyResourceId: company.id };
}

/** The name of a company in a record that is of it, or is it. */
function nameIn(record: IDataObject, id: string): string | undefined {
	if (record.companyResourceId === id) return identityOf(record, ['companyName']);
	return record.resourceId === id ? identityOf(record, ['companyName', 'name']) : undefined;
}

/**
 * The credential's own company. Without a company a Reseller's lists are of all its customers (contract 4.1), so only a
 * Company Admin's items are known to be of the credential's company.
 */
function ownStamp({ role, companyName, companyResourceId }: Access): IDataObject {
	const isAdmin = role !== null && /company\s*admin/i.test(role) && !/reseller/i.test(role);
	if (!isAdmin || !companyResourceId) return {};
	return { ...(companyName ? { companyName } : {}), companyResourceId };
}

/**
 * Adds the company as the first fields of an item. Values that the service sent for it are kept; empty ones are filled
 * in.
 */
export function stamped(json: IDataObject, stamp: IDataObject): IDataObject {
	const isEmpty = (name: string) => json[name] === undefined || json[name] === null || json[name] === '';
	return { ...stamp, ...json, ...pickBy(stamp, (value, name) => value !== '' && isEmpty(name)) };
}
