import type { IDataObject } from 'n8n-workflow';

import type { Field, FieldMap, FieldValues } from '../fields/field';
import type { ScopeChoice } from '../companyScope/companyScope';
import type { EndpointKey } from '../api/endpoint';
import type { HttpClient } from '../http/client';
import type { Choice } from '../values';

/** The definition of a trigger: the fields of its form, and the lists that it watches. */
export interface TriggerDefinition<F extends FieldMap = FieldMap> {
	/** The plural noun for the watched records, for use inside a sentence: "campaigns". */
	noun: string;
	/** The fields that only this trigger has. */
	fields: F;
	/** The field 'Only Status Names or IDs'. Its options depend on the lists that the node watches. */
	statusField: Field<string[]>;
	/**
	 * Returns the lists to watch for the values of `fields`.
	 * @throws InvalidInputError
	 */
	getWatchedLists: (values: FieldValues<F>) => WatchedList[];
}

/** The part of a trigger's definition from which its form is built. */
export type TriggerFormDefinition = Omit<TriggerDefinition, 'getWatchedLists'>;

/** Defines a trigger and infers the types of its field values. */
export const defineTrigger = <const F extends FieldMap>(definition: TriggerDefinition<F>): TriggerDefinition<F> =>
	definition;

/** A list of the platform that a trigger watches. */
export interface WatchedList {
	/** The name of one record in output items (the field `kind`) and in the saved state: "phishingCampaign". */
	name: string;
	/** The plural noun for the records, for use inside a sentence: "phishing campaigns". */
	noun: string;
	endpoint: EndpointKey;
	/** Additional fields for the body of the search request. */
	body?: IDataObject;
	/** Reads the ID of a record. Returns undefined if the record has no ID. Such a record can't be watched. */
	readId: (record: IDataObject) => string | undefined;
	/** Adds fields to a record that other operations need as input, such as `jobId`. */
	addItemFields?: (record: IDataObject) => IDataObject;
}

/** A record of a watched list, with the values that polling needs. */
export interface WatchedRecord {
	id: string;
	/** The time of creation in ms since 1970. Undefined if the record has no create time. */
	createdAt: number | undefined;
	status: string;
	/** The record as the platform returned it. */
	json: IDataObject;
}

/** The rules that decide which records a trigger emits. They come from its form. */
export interface TriggerRules {
	/** True for 'Status Changed', false for 'New'. */
	watchesStatus: boolean;
	/** For 'Status Changed': true if a record that is seen for the first time counts as changed. */
	includesFirstSeen: boolean;
	/** The statuses that count, in lower case. Empty if every status counts. */
	statuses: string[];
	/** The time in ms for which a record is watched after its creation. */
	windowMs: number;
	/** The value of 'Emit Existing Since' in ms since 1970. Infinity if the field is empty. */
	existingSince: number;
}

/** One poll of a trigger: its settings, its time limit and its access to the platform. */
export interface Poll {
	client: HttpClient;
	rules: TriggerRules;
	scope: ScopeChoice;
	/**
	 * True if the trigger may read the global list, which is the list that a request without a company returns. False if
	 * the user filters companies or turned on 'Ask Each Company'.
	 */
	mayUseGlobalList: boolean;
	/** The minimum time in ms between two reads of all companies' lists. 0 to read them in every poll. */
	companyReadIntervalMs: number;
	/** The maximum number of records per request. */
	pageSize: number;
	/** Aborts when the time limit of the poll is reached. */
	signal: AbortSignal;
	/** The start of the poll in ms since 1970. */
	startedAt: number;
	/** The time limit of the poll in ms. */
	budgetMs: number;
	/** The lists that are being read, in the order in which their reads started. */
	activeReads: Set<ActiveRead>;
	/**
	 * Returns the companies whose lists are read. They are requested once per poll.
	 * @throws RequestError
	 */
	listCompanies: () => Promise<WatchedCompany[]>;
	/** Writes a warning to n8n's log. */
	logWarning: (message: string) => void;
	/** Writes an informational message to n8n's log. */
	logInfo: (message: string) => void;
}

/** A list that is being read. */
export interface ActiveRead {
	/** The start of the read in ms since 1970. */
	startedAt: number;
	/** Resolves when the read has succeeded or failed. */
	finished: Promise<void>;
}

/** A company whose list is read, with its position in the tree of companies. */
export interface WatchedCompany extends Choice {
	/** The IDs of the companies above it. The parent comes first. */
	ancestorIds: string[];
	/** The ID of the topmost company of its tree. A company without a parent is its own root. */
	rootId: string;
	/** All companies below it, at every depth. */
	descendants: WatchedCompany[];
	/**
	 * True if records of this company are emitted. False if 'Only Companies' excludes it. Its list is still read, because
	 * a company above it may list its records too.
	 */
	isSelected: boolean;
}
