/**
 * The faults of the fault matrix: what can go wrong. Written from the contract and the project's standards; nothing here
 * looks at how the nodes do it.
 */
import type { FaultRule } from '../stand-in';
/** What goes wrong with one request. */
export interface Fault {
	name: string;
	/** How the stand-in service does it. */
	rule: Pick<FaultRule, 'kind' | 'retryAfter' | 'landed' | 'to'>;
	/** Whether asking again can help: too many requests, a gateway's trouble, the connection. */
	passes: boolean;
	/** How often it is tried at most, if not as often as others. */
	tries?: number;
	/**
	 * What the client can know about a request with this fault: that it was not accepted, or that it may have been
	 * carried out.
	 */
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
		passes: true,
		tries: 3,
		said: 'An unexpected error occurred.',
	},
	{ name: '502 with HTML', rule: { kind: 'html-502' }, ...TROUBLE, ...having(502), passes: true },
	{ name: '503', rule: { kind: 'status-503' }, ...TROUBLE, ...having(503), passes: true, said: UNAVAILABLE },
	{ name: '504 with HTML', rule: { kind: 'html-504' }, ...TROUBLE, ...having(504), passes: true },
	// Only an answer that refuses the request before it is processed can say when to send it again.
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
