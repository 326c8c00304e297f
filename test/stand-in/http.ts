import type { Faults } from './faults';
import type { LoggedRequest, RequestLog } from './log';
import type { Personality } from './personality';
import type { Company } from './seed';
import type { Holdings, Upload } from './holdings';
import type { Lifetime, Tokens } from './tokens';
import type { World } from './world';

/** A JSON object of which nothing is known yet. */
export type Row = Record<string, unknown>;

/** Whether something is a JSON object. */
export function isRow(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A file of a multipart body. */
export interface Part extends Upload {
	field: string;
}

/** A value as people read it; a list one entry after the other. */
export function written(value: unknown, between = '; '): string {
	if (value === null || value === undefined) return '';
	if (Array.isArray(value)) return value.map((entry) => written(entry, between)).join(between);
	if (typeof value === 'string') return value;
	return JSON.stringify(value);
}

/** What came in a request's body. */
export type Body =
	| { kind: 'none' }
	| { kind: 'json'; value: unknown; patch: boolean }
	| { kind: 'malformed'; text: string }
	| { kind: 'form'; fields: Record<string, string> }
	| { kind: 'multipart'; fields: Record<string, string[]>; files: Part[] }
	| { kind: 'other'; type: string };

/** A file on its way out: whole, or made while it is sent. */
export interface Download {
	fileName: string;
	mimeType: string;
	content: Buffer | { bytes: number; chunks: () => Iterable<Buffer> };
}

/** What an operation answers. */
export type Answer =
	| { status: number; headers?: Record<string, string>; data: unknown }
	| { status: number; headers?: Record<string, string>; file: Download }
	| { status: number; headers?: Record<string, string>; text: string; mimeType: string };

/** Who asks. */
export interface Caller {
	reseller: boolean;
	company: Company;
}

/**
 * What is made of the conditions of a filter: a deployment leaves out those that it does not understand, by their field or their
 * operator, or all of them, or refuses them all; otherwise only the older operators are known, and what is not known is refused.
 */
export type Understanding = 'understood' | 'ignored' | 'refused' | 'older';

/** Settings that may be changed while the service runs. */
export interface LiveOptions extends Lifetime {
	latencyMs: number;
	/** The largest page that is returned, whatever size is requested; the answer's pageSize shows it. */
	maxPageSize: number;
	/** Whether the service has the operations that are not in the contract; otherwise they answer 404. */
	helpers: boolean;
	/** Whether PUT participants adds to the members or replaces them. Only of 'deployed'. */
	participants: 'add' | 'replace';
	/** An INPUT_ERROR is answered with HTTP 200. Only of 'deployed'. */
	inputErrorsAs200: boolean;
	/** What is made of the conditions of a filter. Only of 'deployed'; as the contract reads, only the older operators are known. */
	conditions: Understanding;
	/** Search types of a job's people that are refused. Only of 'deployed'. */
	refusedSearchTypes: string[];
	/** What becomes of `activityType` in searches for people and events: it narrows, does nothing, or is refused. Only of 'deployed'. */
	activityTypes: 'understood' | 'ignored' | 'refused';
	/** How the dates of a search for people's activity are taken: as ISO 8601, or only as the company displays them. Only of 'deployed'. */
	activityDates: 'iso' | 'displayed';
	/** How creating a campaign is answered; undefined = each simulator's own way. Only of 'deployed'. */
	createdCampaigns: 'id' | 'map' | 'page' | undefined;
	/** How the service treats a body field, or a condition of a filter, that no document describes. */
	undescribed: 'ignored' | 'refused';
	/** The undocumented body fields that are accepted all the same, because a test adds them. */
	exempt: readonly string[];
	/** The size of the next leaderboard export; undefined = what the data gives. */
	exportBytes: number | undefined;
	/** What the service's clock shows in its Date header; undefined = the real time. */
	clock: number | undefined;
	/** Changes the JSON of every successful answer. */
	garble: ((envelope: unknown, request: LoggedRequest) => unknown) | undefined;
	/** Called before a request to an operation is answered, so that a test can change the world between two pages. */
	beforeAnswer: (() => void) | undefined;
}

/** The settings that a service begins with. */
export const LIVE_OPTIONS: LiveOptions = {
	latencyMs: 0,
	tokenLifetimeSeconds: 3600,
	newTokenVoidsFormer: false,
	requestsPerToken: Infinity,
	maxPageSize: Infinity,
	helpers: true,
	participants: 'add',
	inputErrorsAs200: false,
	conditions: 'understood',
	refusedSearchTypes: [],
	activityTypes: 'understood',
	activityDates: 'iso',
	createdCampaigns: undefined,
	undescribed: 'ignored',
	exempt: [],
	exportBytes: undefined,
	clock: undefined,
	garble: undefined,
	beforeAnswer: undefined,
};

/** Everything that lives as long as the service does. */
export interface Service {
	world: World;
	readonly options: LiveOptions;
	readonly personality: Personality;
	readonly routes: readonly Route[];
	readonly tokens: Tokens;
	readonly log: RequestLog;
	readonly faults: Faults;
	baseUrl: string;
}

/** Everything that an operation may look at. */
export interface Call {
	world: World;
	options: LiveOptions;
	personality: Personality;
	/** Whether to answer as live deployments do, where that is not what the contract reads. */
	isDeployed: boolean;
	baseUrl: string;
	params: Record<string, string>;
	query: Record<string, string>;
	/** The parsed JSON body with its keys in camelCase. */
	json: unknown;
	/** JSON sent as json-patch+json. */
	patch: boolean;
	/** The fields of a multipart body, keys in camelCase. */
	form: Record<string, string[]>;
	files: Part[];
	caller: Caller;
	/** The company that was asked for, checked already. */
	scope: Company | undefined;
	/** What the second company header says. */
	secondHeader: string | undefined;
	/** Every company whose records this call may see. */
	companies: readonly Company[];
	/** Where a new thing goes: the scoped company or the caller's own. */
	home: Holdings;
}

/** One operation of the contract. */
export interface Route {
	/** As the contract writes it: method, space, path with placeholders. */
	key: string;
	/** Method and path at which it is served instead of the key's own. */
	at?: string;
	/** open = no token needed; reseller = 403 for everybody else. */
	access: 'open' | 'any' | 'reseller';
	takes: 'nothing' | 'json' | 'multipart';
	/** Whether the contract does not have it: it answers 404 when `helpers` are switched off. */
	beside?: boolean;
	/** The names that a search can be sorted by, where any other is refused. */
	sorts?: readonly string[];
	/** Whether it changes something. */
	write?: boolean;
	/** Answers problem details instead of the envelope when it refuses. */
	problems?: boolean;
	handle: (call: Call) => Answer | Promise<Answer>;
}

/** A 200 with data in the envelope. */
export function ok(data: unknown): Answer {
	return { status: 200, data };
}

/** A request that the contract does not have. */
export const beside = (route: Route): Route => ({ ...route, beside: true });

/** A GET that answers data. */
export const reading = (key: string, data: (call: Call) => unknown, access: Route['access'] = 'any'): Route => ({
	key,
	access,
	takes: 'nothing',
	handle: (call) => ok(data(call)),
});

/** A write that answers data. */
export const changing = (
	key: string,
	change: (call: Call) => unknown,
	more: Partial<Pick<Route, 'access' | 'takes'>> = {},
): Route => ({ key, access: 'any', takes: 'json', write: true, ...more, handle: (call) => ok(change(call)) });

/** A write with a JSON body that answers the identifier of what was made or changed. */
export const writing = (key: string, write: (call: Call) => string, access: Route['access'] = 'any'): Route =>
	changing(key, (call) => ({ resourceId: write(call) }), { access });

/** A write without a body that answers the identifier of what was changed. */
export const acting = (key: string, act: (call: Call) => string): Route =>
	changing(key, (call) => ({ resourceId: act(call) }), { takes: 'nothing' });
