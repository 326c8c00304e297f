import type { IDataObject } from 'n8n-workflow';

import { fold } from '../answer/fileName';
import { isRecord } from '../form/value';
import type { FieldMap, Values } from '../form/field';
import type { StatusList } from '../pickers/statuses';
import type { Company, ContractKey, ServiceRequest } from '../transport/request';
import { shortId } from './state';

/** A list that a trigger watches. */
export interface Kind {
	/** Its short name in the state. */
	code: string;
	/** What its records are called in the items: phishingCampaign. */
	name: string;
	/** The same in the middle of a sentence, several of them: "phishing campaigns". */
	things: string;
	contract: ContractKey;
	/** Fields of the search's body beside the usual ones. */
	body?: IDataObject;
	identity: (record: IDataObject) => string | undefined;
	/** Where a record's details are read. @returns undefined where the list says all there is */
	details: (record: IDataObject) => Pick<ServiceRequest, 'contract' | 'path'> | undefined;
	/** What an item has besides what the service sent, in newer nodes. */
	output?: (record: IDataObject) => IDataObject;
}

/** A trigger: what a person chooses, and which lists that means. */
export interface TriggerSpec<F extends FieldMap = FieldMap> {
	/** What it watches, in the middle of a sentence: "campaigns". */
	things: string;
	fields: F;
	/** The statuses for 'Only Statuses'. */
	statuses: StatusList;
	/** @throws InvalidInput */
	kinds: (values: Values<F>) => Kind[];
}

/** What decides which form a trigger has. */
export type TriggerForm = Omit<TriggerSpec, 'kinds'>;

/** A trigger's definition, its fields and its lists typed alike. */
export const defineTrigger = <const F extends FieldMap>(spec: TriggerSpec<F>): TriggerSpec<F> => spec;

/** The company that a record names, by ID and name. */
export function companyIn(record: IDataObject): Record<'id' | 'name', string | undefined> {
	const nested = isRecord(record.company) ? record.company : {};
	const text = (...values: unknown[]) =>
		values.find((value): value is string => typeof value === 'string' && value !== '');
	return {
		id: text(record.companyResourceId, record.companyId, nested.resourceId, nested.companyResourceId),
		name: text(record.companyName, nested.name, nested.companyName),
	};
}

/** A record's identity among all of its kind, as it is remembered. @param byCompany whether IDs are unique only inside a company @param company whose list has it */
export function identityIn(kind: Kind, record: IDataObject, byCompany: boolean, company?: Company): string | undefined {
	const id = kind.identity(record);
	const owner = companyIn(record).id ?? company?.id ?? '';
	return id === undefined ? undefined : shortId(byCompany ? `${owner} ${id}` : id);
}

/** The company that a record names by its ID. */
export function namedBy(record: IDataObject): Company | undefined {
	const { id, name = '' } = companyIn(record);
	return id === undefined ? undefined : { id, name };
}

/** The one company that a record says it is of, by ID or else by name. @returns undefined for none, or several of that name */
export function ownerAmong(companies: Company[], record: IDataObject): Company | undefined {
	const { id, name } = companyIn(record);
	const alike = companies.filter((company) =>
		id === undefined ? name !== undefined && fold(name) === fold(company.name) : id === company.id,
	);
	return alike.length === 1 ? alike[0] : undefined;
}
