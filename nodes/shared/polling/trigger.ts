import type { IDataObject } from 'n8n-workflow';

import type { FieldMap, Values } from '../form/field';
import type { StatusList } from '../pickers/statuses';
import type { ContractKey } from '../transport/request';

/** A list that a trigger watches. */
export interface Kind {
	/** What its records are called in the items, and in the state: phishingCampaign. */
	name: string;
	/** The same in the middle of a sentence, several of them: "phishing campaigns". */
	things: string;
	contract: ContractKey;
	/** Fields of the search's body beside the usual ones. */
	body?: IDataObject;
	/** Whether the list can be sorted by create time; one that cannot is read whole, sorted by name (deployment behaviour). */
	isByTime: boolean;
	/** @returns a record's ID; undefined for one without, which cannot be watched */
	identity: (record: IDataObject) => string | undefined;
	/** What an item has besides what the service sent. */
	output: (record: IDataObject) => IDataObject;
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
