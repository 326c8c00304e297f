/** What a history has to go by. */
import type { StandIn } from '../../stand-in';
import type { PollingFixture, List } from '../pollingFixture';

/** What the histories happen on, one after the other. */
export interface Platform {
	service: StandIn;
	fixture: PollingFixture;
	/** How much longer polls seem to take than they do, in ms. */
	elapsed: number;
}

export interface Told {
	id: string;
	list: List;
	company: number;
	createdAt: number;
	/** Whether it became visible after the baseline, in time or late by no more than the window. */
	isOwed: boolean;
	/** Whether the baseline saw it: such a record is never given. */
	wasListed: boolean;
	given: number;
	putBack?: (() => void) | undefined;
	/** The last time that it came or went, counted in changes. */
	movedAt: number;
	status: string;
	/** What the trigger may remember as its status: one of these; undefined stands for a record that it does not know. */
	noted: ReadonlySet<string | undefined>;
	notedSaved: ReadonlySet<string | undefined>;
}

export const UNKNOWN: ReadonlySet<string | undefined> = new Set([undefined]);

/** How much a poll has to give: all that is there, all that was there throughout, or whatever it gets to. */
export type Owes = 'everything' | 'what stood still' | 'nothing';
