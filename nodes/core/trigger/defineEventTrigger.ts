import type { IDataObject } from 'n8n-workflow';

import type { FieldMap, FieldValues } from '../fields/field';
import type { CompanyPoll, WatchedCompany } from './defineTrigger';

/** The definition of a trigger that watches events. Events have no ID, no create time and no status. */
export interface EventTriggerDefinition<F extends FieldMap = FieldMap, O extends FieldMap = FieldMap> {
	/** The plural noun for the watched events, as used inside a sentence: "events of people". */
	noun: string;
	/** The value of the field `kind` of output items: "personEvent". */
	kind: string;
	fields: F;
	/** The fields in 'Options' that only this trigger has. */
	options: O;
	/** The text below 'Company Scope' that says what 'Every Company' costs. */
	everyCompanyNotice: string;
	/** Creates the source of the events for one poll. */
	createSource: CreateSource<F, O>;
	/**
	 * Creates the fallback source, for a platform without the endpoint of `createSource`. The trigger uses it if the first
	 * poll gets a 404 for at least one company, and can't read any.
	 */
	createFallbackSource: CreateSource<F, O>;
	/** The text for n8n's log when the trigger starts to use the fallback source. */
	fallbackNotice: string;
}

type CreateSource<F extends FieldMap, O extends FieldMap> = (
	poll: CompanyPoll,
	values: FieldValues<F> & { options: Partial<FieldValues<O>> },
) => EventSource;

/** Defines a trigger that watches events, and infers the types of its field values. */
export const defineEventTrigger = <const F extends FieldMap, const O extends FieldMap>(
	definition: EventTriggerDefinition<F, O>,
): EventTriggerDefinition<F, O> => definition;

/** The source of the events that a poll reads. */
export interface EventSource {
	/** A text with the choices of the user that decide what is watched. If it changes, the trigger starts over. */
	watched: string;
	/**
	 * Reads the events of a company, oldest first.
	 * @param since the time in ms since 1970 from which events are read
	 * @throws RequestError
	 */
	readEvents: (company: WatchedCompany, since: number) => Promise<CompanyEvents>;
	/** Returns a text that is the same for the same event in every poll. It doesn't depend on the company. */
	getKey: (event: IDataObject) => string;
	/** Returns the time of an event in ms since 1970. Undefined if it can't be read. */
	getTime: (event: IDataObject) => number | undefined;
	/** Returns true if an event must be confirmed before it is emitted. */
	needsConfirmation: (event: IDataObject) => boolean;
	/**
	 * Confirms events of a company.
	 * @returns for each event the confirmed event, which may have additional fields. Undefined if it isn't confirmed yet.
	 * @throws RequestError
	 */
	confirmEvents: (company: WatchedCompany, events: IDataObject[]) => Promise<Array<IDataObject | undefined>>;
}

/** The events that were read for a company. */
export interface CompanyEvents {
	events: IDataObject[];
	/** True if nothing shows that the events changed while they were read. */
	isComplete: boolean;
}

/** An event that was read, with the hash of its key. */
export interface ListedEvent {
	event: IDataObject;
	hash: string;
}

/** An event to emit. */
export interface EventToEmit {
	event: IDataObject;
	company: WatchedCompany;
}

/** A poll of events. */
export interface EventPoll extends CompanyPoll {
	source: EventSource;
	/** True if `source` is the fallback source. */
	usesFallback: boolean;
	/** The plural noun for the events: "events of people". */
	noun: string;
	/** The time in ms for which events are read again in each poll. */
	windowMs: number;
}

/** The events that were read for one company. */
export interface EventList {
	company: WatchedCompany;
	events: ListedEvent[];
	isComplete: boolean;
	/** See `EventDecisionInput`. */
	possiblyNewHashes: ReadonlySet<string> | undefined;
}
