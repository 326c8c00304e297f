/**
 * The table of the fault matrix: what can go wrong, and with what kind of operation. It is written from the contract
 * and the project's standards; nothing in it looks at how the nodes do it.
 */
import type { IDataObject, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { the, type NodeClass } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import type { FaultRule, State } from '../stand-in';
import { ALL, type ApiClient } from '../stand-in/apiClient';

/** What goes wrong with one request. */
export interface Fault {
	name: string;
	/** How the stand-in service does it. */
	rule: Pick<FaultRule, 'kind' | 'retryAfter' | 'landed' | 'to'>;
	/** Whether asking again can help: too many requests, a gateway's trouble, the connection. */
	passes: boolean;
	/** What one can know of a request that met it: that it was turned away, or that it may have been carried out. */
	known: 'turned away' | 'perhaps carried out';
	/** What became of a write in truth. */
	carriedOut: boolean;
	/** The end of the message's sentence, and what to do. */
	happened: string;
	remedy: string;
	/** What the service itself says, which is never kept from a person. */
	said?: string;
	status?: number;
	/** How long the service asks to wait, in ms. */
	waitMs?: number;
	/** Whether the node has to wait until its time-out. */
	stalls?: boolean;
	/** The token is refused, so a new one is asked for and then the request once more. */
	ofToken?: boolean;
	/** Once; or every time that the request is repeated. */
	lasts: ReadonlyArray<'once' | 'always'>;
}

const BOTH = ['once', 'always'] as const;
const TROUBLE = { known: 'perhaps carried out', carriedOut: false, remedy: 'Try again later', lasts: BOTH } as const;
const CUT = {
	...({ passes: true, known: 'perhaps carried out', lasts: BOTH } as const),
	...{
		happened: 'the connection was cut before the answer was complete',
		remedy: 'look at the network between n8n and the service',
	},
} as const;
const LATE = {
	...({ passes: true, known: 'perhaps carried out', stalls: true, lasts: BOTH } as const),
	...{ happened: 'the service did not answer in time', remedy: "Raise 'Timeout' in the node's options" },
} as const;
const TURNED_AWAY = { known: 'turned away', carriedOut: false } as const;
const MANY = {
	...TURNED_AWAY,
	passes: true,
	happened: 'the service received too many requests (429)',
	status: 429,
	said: 'Too many requests.',
	remedy: "lower 'Concurrency'",
	lasts: BOTH,
} as const;
const EXPIRED = {
	...({ ...TURNED_AWAY, rule: { kind: 'expired-token' }, passes: false, ofToken: true, status: 401 } as const),
	...{
		happened: 'the service does not accept the token (401)',
		said: 'The access token is invalid or has expired.',
		remedy: 'Open the credential and save it again',
	},
} as const;
const having = (status: number) => ({ happened: `the service is having trouble (${status})`, status });
const UNAVAILABLE = 'The service is temporarily unavailable.';

const basic: Fault[] = [
	{ name: '429 with Retry-After', rule: { kind: 'status-429', retryAfter: '7' }, ...MANY, waitMs: 7000 },
	{ name: '429 without Retry-After', rule: { kind: 'status-429' }, ...MANY },
	{
		name: '500',
		rule: { kind: 'status-500' },
		...TROUBLE,
		...having(500),
		passes: false,
		said: 'An unexpected error occurred.',
	},
	{ name: '502 with HTML', rule: { kind: 'html-502' }, ...TROUBLE, ...having(502), passes: true },
	{ name: '503', rule: { kind: 'status-503' }, ...TROUBLE, ...having(503), passes: true, said: UNAVAILABLE },
	{ name: '504 with HTML', rule: { kind: 'html-504' }, ...TROUBLE, ...having(504), passes: true },
	// Only who turns somebody away at the door can say when to come back.
	{
		name: '503 with Retry-After',
		rule: { kind: 'status-503', retryAfter: '7' },
		...TROUBLE,
		...having(503),
		...TURNED_AWAY,
		passes: true,
		said: UNAVAILABLE,
		waitMs: 7000,
	},
	{
		...{
			name: '200 with an error envelope',
			rule: { kind: 'error-envelope' },
			...TURNED_AWAY,
			passes: false,
			status: 200,
			lasts: BOTH,
		},
		...{
			happened: 'the service could not carry it out',
			said: 'The operation could not be completed.',
			remedy: 'Change what it names',
		},
	},
	{ name: 'expired token once', ...EXPIRED, lasts: ['once'] },
	// The service goes on refusing this request; the token stays good for others.
	{ name: 'expired token always', ...EXPIRED, rule: { kind: 'status-401' }, lasts: ['always'] },
	{
		...{
			name: '403 for one company',
			rule: { kind: 'forbidden-company' },
			...TURNED_AWAY,
			passes: false,
			status: 403,
			lasts: ['always'],
		},
		...{
			happened: 'access was refused (403)',
			said: 'You are not authorized to act for this company.',
			remedy: 'Check that this company is one of your customers',
		},
	},
	{
		...{
			name: '400 that repeats the token',
			rule: { kind: 'echo' },
			...TURNED_AWAY,
			passes: false,
			status: 400,
			lasts: ['always'],
		},
		...{
			happened: 'the service did not accept the input (400)',
			said: 'You came with •••',
			remedy: 'Check the values of the fields',
		},
	},
	{
		...{
			name: 'redirect to another host',
			rule: { kind: 'redirect', to: 'http://files.example/elsewhere' },
			...TURNED_AWAY,
			passes: false,
			status: 302,
			lasts: ['always'],
		},
		...{
			happened: 'the service answered with status 302',
			remedy: "Check the credential's Base URL: the address forwards to another one",
		},
	},
	{ name: 'reset before the answer', rule: { kind: 'reset-before' }, ...CUT, carriedOut: false },
	{ name: 'reset after it was carried out', rule: { kind: 'reset-after' }, ...CUT, carriedOut: true },
	{ name: 'stall past the time-out', rule: { kind: 'stall' }, ...LATE, carriedOut: false },
	{ name: 'stall past the time-out, carried out', rule: { kind: 'slow' }, ...LATE, carriedOut: true },
	// Once: in the middle of a file, the waiter cannot tell it from a cut, and says so.
	{ name: 'stall in the middle of the body', rule: { kind: 'stall-body' }, ...LATE, carriedOut: true, lasts: ['once'] },
	{ name: 'truncated body', rule: { kind: 'truncate' }, ...CUT, carriedOut: true },
	{ name: 'truncated body of no stated length', rule: { kind: 'truncate-chunked' }, ...CUT, carriedOut: true },
];

/** A status that leaves a doubt: the same again with the operation carried out in truth. */
const landed = basic
	.filter(({ status, known }) => status !== undefined && known === 'perhaps carried out')
	.map((fault): Fault => ({
		...fault,
		name: `${fault.name}, carried out`,
		rule: { ...fault.rule, landed: true },
		carriedOut: true,
	}));

export const FAULTS: readonly Fault[] = [...basic, ...landed];

export type Lasts = Fault['lasts'][number];
export const ANSWERS = ['record', 'list', 'pages', 'file', 'done'] as const;
export type AnswerKind = (typeof ANSWERS)[number];
export const ACCESSES = ['read', 'write'] as const;
export type Access = (typeof ACCESSES)[number];
export const SPREADS = ['one item', 'many items', 'every company'] as const;
export type Spread = (typeof SPREADS)[number];
export const MODES = {
	stop: 'stopWorkflow',
	continue: 'continueRegularOutput',
	'error output': 'continueErrorOutput',
} as const satisfies Record<string, OnError>;
export type Mode = keyof typeof MODES;

export interface Customer {
	id: string;
	name: string;
}

/** What somebody gets who asks the service directly. */
export interface Right {
	json: IDataObject[];
	file?: Buffer;
}

/** What is done, for one customer each time. */
export interface Doing {
	answer: AnswerKind;
	access: Access;
	node: NodeClass;
	operation: string;
	/** Inside an error's sentence. */
	purpose: string;
	/** The contract's key of the request that goes wrong. */
	key: string;
	/** The page of it that goes wrong, where there are several. */
	page?: number;
	/** Beside the operation and the company; $json.thing is what `thing` found. */
	parameters: IDataObject;
	/** The ID of a thing of the customer's that it is about. */
	thing?: (state: State, customer: string) => string;
	/** What must come out; a write's is looked at after it was carried out. */
	right: (asker: ApiClient, state: State, customer: string) => Promise<Right> | Right;
	/** How often a write was carried out for the customer, as the service's world has it. */
	effects?: (state: State, customer: string) => number;
}

const rows = z.array(z.record(z.unknown()).transform((row) => row as IDataObject));
const jsonOf = (data: unknown): IDataObject[] => rows.parse([data].flat());
const ofName = (asker: ApiClient, key: string, body?: object) =>
	asker.data(key, body).then((data) => ({ json: jsonOf(data) }));

const scim = (state: State, customer: string) => the(state.of(customer).scim[0]).resourceId;
const enrollment = (state: State, customer: string) => the(state.of(customer).enrollments[1]);

const BOARD = 'POST /api/leaderboard/get-all/export';
const GROUPS = 'POST /api/target-groups/search/current-company';
const WIDGETS = 'POST /api/executive-report/get-widget-datas';
const emailOf = (customer: string) => `zoe@${customer}.example`;

export const DOINGS: readonly Doing[] = [
	{
		...{
			answer: 'record',
			access: 'read',
			node: SecurityAwarenessScimIntegration,
			operation: 'get',
			purpose: 'get SCIM integration',
			key: 'GET /api/scim/{resourceId}',
		},
		thing: scim,
		parameters: { scimIntegration: byId('={{ $json.thing }}') },
		right: async (asker, state, customer) => await ofName(asker, `GET /api/scim/${scim(state, customer)}`),
	},
	{
		...{
			answer: 'list',
			access: 'read',
			node: SecurityAwarenessExecutiveReport,
			operation: 'getWidgetData',
			purpose: 'get widget data',
			key: WIDGETS,
		},
		parameters: {},
		right: async (asker) => await ofName(asker, WIDGETS, { widgetIds: null }),
	},
	{
		...{
			answer: 'list',
			access: 'read',
			node: SecurityAwarenessRole,
			operation: 'getMany',
			purpose: 'get many roles',
			key: 'GET /api/roles',
		},
		parameters: {},
		right: async (asker) => await ofName(asker, 'GET /api/roles'),
	},
	{
		...{
			answer: 'pages',
			access: 'read',
			node: SecurityAwarenessTargetGroup,
			operation: 'getMany',
			purpose: 'get many target groups',
			key: GROUPS,
			page: 2,
		},
		parameters: { returnAll: true, sort: { by: 'Name' }, options: { pageSize: 1 } },
		right: async (asker) => ({
			json: await asker
				.results(GROUPS, { pageNumber: 1, pageSize: 1000, orderBy: 'Name', ascending: true, filter: ALL })
				.then(jsonOf),
		}),
	},
	{
		...{
			answer: 'file',
			access: 'read',
			node: SecurityAwarenessLeaderboard,
			operation: 'export',
			purpose: 'export leaderboard',
			key: BOARD,
		},
		parameters: { sort: { by: 'Email' } },
		right: async (asker) => {
			const pagination = { pageNumber: 1, pageSize: 100, orderBy: 'Email', ascending: true };
			const { bytes, type } = await asker.file(BOARD, {
				exportType: 'CSV',
				reportAllPages: true,
				pagination,
				filter: ALL,
			});
			return { json: [{ mimeType: type.replace(/;.*/, ''), bytes: bytes.length }], file: bytes };
		},
	},
	{
		...{
			answer: 'record',
			access: 'write',
			node: SecurityAwarenessEnrollment,
			operation: 'send',
			purpose: 'send enrollment',
			key: 'POST /api/enrollments/{resourceId}/send',
		},
		thing: (state, customer) => enrollment(state, customer).resourceId,
		parameters: { enrollment: byId('={{ $json.thing }}') },
		right: (_asker, state, customer) => ({ json: [{ resourceId: enrollment(state, customer).resourceId }] }),
		// It was sent once already when it was made.
		effects: (state, customer) => enrollment(state, customer).sendCount - 1,
	},
	{
		...{
			answer: 'record',
			access: 'write',
			node: SecurityAwarenessSystemUser,
			operation: 'create',
			purpose: 'create system user',
			key: 'POST /api/system-users',
		},
		parameters: {
			firstName: 'Zoë',
			lastName: 'Müller',
			email: `=${emailOf('{{ $json.id }}')}`,
			phoneNumber: '+49 30 1234567',
		},
		right: (_asker, state, customer) => ({
			json: state
				.of(customer)
				.systemUsers.filter((user) => user.email === emailOf(customer))
				.map(({ resourceId }) => ({ resourceId })),
		}),
		effects: (state, customer) => state.of(customer).systemUsers.length,
	},
	{
		...{
			answer: 'done',
			access: 'write',
			node: SecurityAwarenessApiClient,
			operation: 'delete',
			purpose: 'delete API client',
			key: 'DELETE /api/companies/clients/{resourceId}',
		},
		thing: (state, customer) => the(state.of(customer).clients[0]).resourceId,
		parameters: { apiClient: byId('={{ $json.thing }}') },
		right: () => ({ json: [{ deleted: true }] }),
		// Each customer has one of that name, the first.
		effects: (state, customer) =>
			state.of(customer).clients.some(({ name }) => name === 'Reporting Integration') ? 0 : 1,
	},
];

/** Combinations that there are none of, and why. The first reason that holds counts. */
export const IMPOSSIBLE: ReadonlyArray<{
	why: string;
	holds: (at: { fault: Fault; answer: AnswerKind; access: Access; spread: Spread }) => boolean;
}> = [
	{
		why: 'lists, pages and files are only read',
		holds: ({ answer, access }) => access === 'write' && ['list', 'pages', 'file'].includes(answer),
	},
	{
		why: 'what answers no more than that it is done changes something',
		holds: ({ answer, access }) => access === 'read' && answer === 'done',
	},
	{
		why: 'only lists, pages and files are asked for every company',
		holds: ({ answer, spread }) => spread === 'every company' && ['record', 'done'].includes(answer),
	},
	{
		why: 'a file is looked for where it is forwarded to (test/transport/redirects)',
		holds: ({ fault, answer }) => fault.rule.kind === 'redirect' && answer === 'file',
	},
	{
		why: 'whether it was carried out makes no difference to what only reads',
		holds: ({ fault, access }) => access === 'read' && fault.name.endsWith(', carried out'),
	},
];
