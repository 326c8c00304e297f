import type { IDataObject } from 'n8n-workflow';

import type { Field, FieldMap, FieldValues } from '../fields/field';
import type { ScopeChoice } from '../companyScope/companyScope';
import type { EndpointKey } from '../api/endpoint';
import type { HttpClient } from '../http/client';
import type { Choice } from '../values';

/** The definition of a trigger: the fields of its form, and the lists that it watches. */
export interface TriggerDefinition<F extends FieldMap = FieldMap> {
	/** The plural noun for the watched records, as used inside a sentence: "campaigns". */
	noun: string;
	/** The fields that only this trigger has. */
	fields: F;
	/** The field 'Status Names or IDs'. Its options are the statuses in the watched lists. */
	statusField: Field<string[]>;
	/**
	 * Returns the lists to watch. They depend on the values of `fields`.
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
	/** The name of the list, for the field `kind` of output items and for the saved memory: "phishingCampaign". */
	name: string;
	/** The plural noun for the records of the list, as used inside a sentence: "phishing campaigns". */
	noun: string;
	endpoint: EndpointKey;
	/** Additional fields for the body of the search request. */
	body?: IDataObject;
	/** Reads the ID of a record. Returns undefined if the record has no ID. Such a record can't be watched. */
	readId: (record: IDataObject) => string | undefined;
	/** Adds fields such as `jobId` to a record, because other nodes need them as input. */
	addItemFields?: (record: IDataObject) => IDataObject;
}

/** A record of a watched list, with the values that decide whether it is emitted. */
export interface WatchedRecord {
	id: string;
	/** The time of creation in ms since 1970. Undefined if the record has no create time. */
	createdAt: number | undefined;
	status: string;
	/** The record as the platform returned it. */
	json: IDataObject;
}

/** The rules that decide which records a trigger emits. They come from the trigger's form. */
export interface TriggerRules {
	/** True for 'Status Changed', false for 'New'. */
	shouldWatchStatus: boolean;
	/** For 'Status Changed': true if a new record that is seen for the first time is emitted too. */
	shouldEmitFirstSeenRecords: boolean;
	/** The statuses that the user selected in 'Status Names or IDs', in lower case. Empty if every status counts. */
	watchedStatuses: string[];
	/** The time in ms for which a record is watched after its creation. */
	windowMs: number;
	/** The value of 'Include Existing Since' in ms since 1970. Infinity if the field is empty. */
	includeExistingSince: number;
}

/** The part of a poll that all triggers have: the companies to read, the time limit, and the client for requests. */
export interface CompanyPoll {
	client: HttpClient;
	scope: ScopeChoice;
	/** The minimum time in ms between two reads of a company. If it is 0 or less, each poll reads every company. */
	companyReadIntervalMs: number;
	/** The maximum number of records per request. */
	pageSize: number;
	/** A signal that aborts when the time limit of the poll is reached. */
	signal: AbortSignal;
	/** The start of the poll in ms since 1970. */
	startedAt: number;
	/** The time limit of the poll in ms. */
	timeLimitMs: number;
	/**
	 * Returns the companies whose lists are read. The first call of a poll requests them; later calls return the same
	 * companies.
	 * @throws RequestError
	 */
	getWatchedCompanies: () => Promise<WatchedCompany[]>;
	/** Writes a warning to n8n's log. */
	logWarning: (message: string) => void;
	/** Writes an informational message to n8n's log. */
	logInfo: (message: string) => void;
}

/** One poll of a trigger that watches records. */
export interface Poll extends CompanyPoll {
	rules: TriggerRules;
	/**
	 * True if the trigger can read the global list (the list that a request without a company returns) to find new
	 * records. False if the scope isn't Every Company, if it filters the companies, or if 'Read Each Company' is turned
	 * on.
	 */
	canUseGlobalList: boolean;
	/** The reads that are running, in the order in which they started. */
	activeReads: Set<ActiveRead>;
}

/** The running read of one list. */
export interface ActiveRead {
	/** The start of the read in ms since 1970. */
	startedAt: number;
	/** A promise that resolves when the read has ended, even if it has failed. */
	completion: Promise<void>;
}

/** A company whose list is read, with its position in the tree of companies. */
export interface WatchedCompany extends Choice {
	/** The IDs of the companies above this company. The parent comes first. */
	ancestorIds: string[];
	/**
	 * The ID of the topmost company of the tree. If no watched company is above this company, it is the company's own ID.
	 */
	rootId: string;
	/** All companies below this company, at every depth. */
	descendants: WatchedCompany[];
	/**
	 * True if records of this company are emitted. False if 'Only Companies' excludes the company. Its list is read
	 * anyway, because the list of a selected company above may contain its records too.
	 */
	isSelected: boolean;
}
