import type { IDataObject } from 'n8n-workflow';

import type { FieldMap, Values } from '../fields/field';
import type { StatusList } from '../../domain/pickers/statuses';
import type { ScopeChoice } from '../companyScope/companyScope';
import type { EndpointKey } from '../api/endpoint';
import type { Service } from '../http/client';
import type { Choice } from '../values';

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

/** A list that a trigger watches. */
export interface Kind {
	/** What its records are called in the items, and in the state: phishingCampaign. */
	name: string;
	/** The same in the middle of a sentence, several of them: "phishing campaigns". */
	things: string;
	endpoint: EndpointKey;
	/** Fields of the search's body beside the usual ones. */
	body?: IDataObject;
	/** @returns a record's ID; undefined for one without, which cannot be watched */
	identity: (record: IDataObject) => string | undefined;
	/** Adds to an item what other operations need of it. */
	output?: (record: IDataObject) => IDataObject;
}

/** A record of a list, with what the polling needs of it. */
export interface Row {
	id: string;
	/** In ms; undefined where the record does not say. */
	created: number | undefined;
	status: string;
	record: IDataObject;
}

/** What decides which records are given. */
export interface Rules {
	watchesStatus: boolean;
	/** Whether a record that is seen for the first time counts as changed. */
	alsoFirstSeen: boolean;
	/** The statuses that count, in lower case; empty for any. */
	statuses: string[];
	/** For how long after its creation a record is remembered, in ms. */
	windowMs: number;
	/** 'Emit Existing Since', in ms; Infinity for none. */
	existingSince: number;
}

export interface Poll {
	service: Service;
	rules: Rules;
	scope: ScopeChoice;
	/** Whether a request without a company may be used: a condition on companies, or 'Ask Each Company', excludes it. */
	mayCoverAll: boolean;
	/** How often each company is asked, in ms; 0 for every poll. */
	askEachMs: number;
	pageSize: number;
	/** Aborted when the poll's time is up. */
	signal: AbortSignal;
	/** When it began, in ms since 1970. */
	now: number;
	/** How long it may take, in ms. */
	budgetMs: number;
	/** The lists that are being read, in the order of their beginning. */
	underWay: Set<Reading>;
	/** The companies whose lists are read, listed once a poll. @throws ServiceError */
	companies: () => Promise<ListedCompany[]>;
	/** Says something in n8n's log: what went wrong, or how it works. */
	warn: (message: string) => void;
	note: (message: string) => void;
}

/** A list that is being read, and since when. */
export interface Reading {
	since: number;
	ended: Promise<void>;
}

/** A company whose list is read. */
export interface ListedCompany extends Choice {
	/** The companies above it, its parent first, and the topmost of its tree, which may be itself. */
	above: string[];
	root: string;
	/** All companies below it, of every depth. */
	below: ListedCompany[];
	/** Whether its records are given: 'Only Companies' may leave it out, and not a company above it, which may list them too. */
	isWanted: boolean;
}
