import type { ActiveFaults } from './faults';
import type { LoggedRequest, RequestLog } from './log';
import type { PlatformProfile } from './profile';
import type { Company } from './seed';
import type { CompanyData, UploadedFile } from './companyData';
import type { TokenOptions, IssuedTokens } from './tokens';
import type { World } from './world';

/** A JSON object whose fields are not known to the compiler. */
export type JsonObject = Record<string, unknown>;

/** Returns true if a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A file of a multipart request body. */
export interface FilePart extends UploadedFile {
	field: string;
}

/**
 * Formats a value as readable text. The entries of a list are joined by `separator`; null and undefined become an empty
 * text.
 */
export function formatValue(value: unknown, separator = '; '): string {
	if (value === null || value === undefined) return '';
	if (Array.isArray(value)) return value.map((entry) => formatValue(entry, separator)).join(separator);
	if (typeof value === 'string') return value;
	return JSON.stringify(value);
}

/** The parsed body of a request. The kind 'other' stands for a content type that the stand-in does not read. */
export type RequestBody =
	| { kind: 'none' }
	| { kind: 'json'; value: unknown; isJsonPatch: boolean }
	| { kind: 'malformed'; text: string }
	| { kind: 'form'; fields: Record<string, string> }
	| { kind: 'multipart'; fields: Record<string, string[]>; files: FilePart[] }
	| { kind: 'other'; type: string };

/** A file in a response. Large files are generated in chunks while they are sent. */
export interface Download {
	fileName: string;
	mimeType: string;
	content: Buffer | { bytes: number; chunks: () => Iterable<Buffer> };
}

/** The response of an operation: data for the envelope, a file, or a text without an envelope. */
export type RouteResponse =
	| { status: number; headers?: Record<string, string>; data: unknown }
	| { status: number; headers?: Record<string, string>; file: Download }
	| { status: number; headers?: Record<string, string>; text: string; mimeType: string };

/** The sender of a request. */
export interface Caller {
	isReseller: boolean;
	company: Company;
}

/**
 * How the platform treats the conditions of a filter:
 * - 'understood' applies them, but ignores those with an unknown field or operator.
 * - 'ignored' ignores all of them.
 * - 'refused' rejects every request with a condition.
 * - 'older' applies them, but knows only the older operators and rejects unknown fields and operators.
 */
export type ConditionSupport = 'understood' | 'ignored' | 'refused' | 'older';

/** Settings that can be changed while the stand-in runs. Some apply only to the profile 'deployed'. */
export interface RuntimeOptions extends TokenOptions {
	/** The delay before each response, in milliseconds. */
	latencyMs: number;
	/**
	 * The largest page size. If a request asks for more, it gets pages of this size, and the response's pageSize says so.
	 */
	maxPageSize: number;
	/** True if the operations outside the contract exist; otherwise they respond with 404. */
	hasExtraRoutes: boolean;
	/** The keys of single operations that the platform lacks, so that they respond with 404. */
	missingRoutes: readonly string[];
	/** Determines if PUT participants adds companies to a company group or replaces its companies. Only 'deployed'. */
	participantsMode: 'add' | 'replace';
	/** True if an INPUT_ERROR is sent with HTTP status 200. Only 'deployed'. */
	shouldSendInputErrorsAs200: boolean;
	/** How the platform treats filter conditions. Only 'deployed'; the contract's platform always uses 'older'. */
	conditionSupport: ConditionSupport;
	/** True if the TXT records of all allowed domains are in DNS, so that verifying a domain succeeds. Only 'deployed'. */
	areTxtRecordsInDns: boolean;
	/** The search types that searches for the people of a job reject. Only 'deployed'. */
	rejectedSearchTypes: string[];
	/** How searches for people and events treat the field `activityType`. Only 'deployed'. */
	activityTypeSupport: 'understood' | 'ignored' | 'refused';
	/**
	 * The date format that searches for user activity accept: ISO 8601, or only the company's display format. Only
	 * 'deployed'.
	 */
	activityDateFormat: 'iso' | 'displayed';
	/** The format of the response to creating a campaign; undefined means each simulator's default. Only 'deployed'. */
	createdCampaignFormat: 'id' | 'map' | 'page' | undefined;
	/** How the platform treats undocumented body fields and filter conditions: those that no document describes. */
	undocumentedFieldsMode: 'ignored' | 'refused';
	/** Undocumented body fields that are accepted in any case, because a test adds them. */
	acceptedUndocumentedFields: readonly string[];
	/** The size of the next leaderboard export in bytes; undefined means the size of the real data. */
	leaderboardExportBytes: number | undefined;
	/** The time in the Date header of responses, in milliseconds; undefined means the real time. */
	clockTime: number | undefined;
	/** Changes the envelope of every successful response before it is sent. */
	transformEnvelope: ((envelope: unknown, request: LoggedRequest) => unknown) | undefined;
	/** Called before each response, so that a test can change the data between two pages. */
	beforeResponse: (() => void) | undefined;
}

/** The settings that a stand-in starts with. */
export const DEFAULT_RUNTIME_OPTIONS: RuntimeOptions = {
	latencyMs: 0,
	tokenLifetimeSeconds: 3600,
	shouldRevokeEarlierTokens: false,
	requestsPerToken: Infinity,
	maxPageSize: Infinity,
	hasExtraRoutes: true,
	missingRoutes: [],
	participantsMode: 'add',
	shouldSendInputErrorsAs200: false,
	conditionSupport: 'understood',
	areTxtRecordsInDns: true,
	rejectedSearchTypes: [],
	activityTypeSupport: 'understood',
	activityDateFormat: 'iso',
	createdCampaignFormat: undefined,
	undocumentedFieldsMode: 'ignored',
	acceptedUndocumentedFields: [],
	leaderboardExportBytes: undefined,
	clockTime: undefined,
	transformEnvelope: undefined,
	beforeResponse: undefined,
};

/** The state of a running stand-in. */
export interface StandInServer {
	world: World;
	readonly options: RuntimeOptions;
	readonly profile: PlatformProfile;
	readonly routes: readonly Route[];
	readonly tokens: IssuedTokens;
	readonly log: RequestLog;
	readonly faults: ActiveFaults;
	baseUrl: string;
}

/** The argument of a route's handler: the parsed request, and the data that the handler can read and change. */
export interface RouteCall {
	world: World;
	options: RuntimeOptions;
	profile: PlatformProfile;
	/** True if the route must respond as live deployments do, where that differs from the contract. */
	isDeployed: boolean;
	baseUrl: string;
	params: Record<string, string>;
	query: Record<string, string>;
	/** The parsed JSON body with its keys in camelCase. */
	json: unknown;
	/** True if the JSON was sent as application/json-patch+json. */
	isJsonPatch: boolean;
	/** The fields of a multipart body. Their names are in camelCase. */
	formFields: Record<string, string[]>;
	files: FilePart[];
	caller: Caller;
	/** The company that the request names by header or query. Access to it has been checked. */
	scopedCompany: Company | undefined;
	/** The value of the second company header, which only live deployments read. */
	secondCompanyHeader: string | undefined;
	/** Every company whose records this request can see. */
	visibleCompanies: readonly Company[];
	/** The data of the company that new records belong to: the named company, or else the caller's own. */
	companyData: CompanyData;
}

/** One operation of the stand-in platform. */
export interface Route {
	/** The operation's key as the contract writes it: its method, a space, and its path with placeholders. */
	key: string;
	/** The method and path at which the operation is served, if they differ from the key. */
	servedAt?: string;
	/**
	 * The callers that are accepted: everyone, even without a token ('open'), every API client ('any'), or only resellers.
	 */
	access: 'open' | 'any' | 'reseller';
	bodyType: 'nothing' | 'json' | 'multipart';
	/** True if the contract does not have the operation. It responds with 404 while `hasExtraRoutes` is false. */
	isOutsideContract?: boolean;
	/** The field names that a search can be sorted by. Any other name is rejected. */
	sortNames?: readonly string[];
	/** True if the operation changes data. */
	isWrite?: boolean;
	/** True if errors are sent as problem details instead of the usual envelope. */
	hasProblemDetails?: boolean;
	handle: (call: RouteCall) => RouteResponse | Promise<RouteResponse>;
}

/** Builds a response with status 200 and data in the envelope. */
export function okResponse(data: unknown): RouteResponse {
	return { status: 200, data };
}

/** Returns a copy of a route that is marked as outside the contract. */
export function markOutsideContract(route: Route): Route {
	return { ...route, isOutsideContract: true };
}

/** Defines a GET route that responds with data. */
export function defineReadRoute(
	key: string,
	getData: (call: RouteCall) => unknown,
	access: Route['access'] = 'any',
): Route {
	return { key, access, bodyType: 'nothing', handle: (call) => okResponse(getData(call)) };
}

/** Defines a route that changes data and responds with data. It takes a JSON body unless `options` say otherwise. */
export function defineWriteRoute(
	key: string,
	change: (call: RouteCall) => unknown,
	options: Partial<Pick<Route, 'access' | 'bodyType'>> = {},
): Route {
	return {
		key,
		access: 'any',
		bodyType: 'json',
		isWrite: true,
		...options,
		handle: (call) => okResponse(change(call)),
	};
}

/** Defines a route that takes a JSON body and responds with the ID of the record it created or changed. */
export function defineSaveRoute(
	key: string,
	save: (call: RouteCall) => string,
	access: Route['access'] = 'any',
): Route {
	return defineWriteRoute(key, (call) => ({ resourceId: save(call) }), { access });
}

/** Defines a route that takes no body, changes data, and responds with the ID of the changed record. */
export function defineActionRoute(key: string, act: (call: RouteCall) => string): Route {
	return defineWriteRoute(key, (call) => ({ resourceId: act(call) }), { bodyType: 'nothing' });
}

/** Returns true if the platform lacks an operation. */
export const isMissingRoute = (route: Route, { hasExtraRoutes, missingRoutes }: RuntimeOptions): boolean =>
	(route.isOutsideContract === true && !hasExtraRoutes) || missingRoutes.includes(route.key);
