import { z } from 'zod';

import { abortOnInactivity, isStream, pause, Semaphore, stopIfAborted, rejectOnAbort, withTimeout } from './concurrency';
import {
	accessOf,
	CREDENTIAL,
	connectionOf,
	contextsFor,
	type Access,
	type AgentLevel,
	type Connection,
	type ServiceContext,
} from './credential';
import { readEnvelope, type Envelope } from './envelope';
import { READ_ONLY, rethrow, ServiceError } from './errors';
import { createPauseError, explainAnswer, finalError, findResumeTime, unexpectedResponse } from './responseErrors';
import { explainFault, explainTokenFault } from './networkErrors';
import { httpOptionsOf, type Sending, type ServiceRequest } from './request';
import { formKey, formsOf, nextForm } from './requestVariants';
import { Token } from './tokenRefresher';
import { endpointOf } from '../api/endpoint';

export type { ServiceContext } from './credential';

export interface ServiceSettings {
	/** How many requests may be in flight at once. */
	concurrency: number;
	/** How long to wait for an answer, or for the next piece of a file, in ms. */
	timeoutMs: number;
}

export const DEFAULT_SETTINGS: ServiceSettings = { concurrency: 8, timeoutMs: 120_000 };

const MAX_TRIES = 5;
const FIRST_BACK_OFF_MS = 500;

const responseShape = z
	.object({ body: z.unknown(), headers: z.record(z.unknown()).catch({}), statusCode: z.number() })
	.transform(({ body, headers, statusCode: status }) => ({ body, headers, status }));

/** An HTTP response of any status: headers by lower-case name; the body is parsed JSON, text, or the stream of a file. */
export type HttpResponse = z.infer<typeof responseShape>;

/** Reads what came back. The request counts as in flight until it has ended, because a file is still under way until then. */
type Receive<T> = (answer: HttpResponse, sent: ServiceRequest) => Promise<T>;

/**
 * The only HTTP client of the nodes: it sends authenticated requests, repeats them where that is safe, uses one token for
 * all of them, and turns each answer into data or an error. One object serves one node run.
 */
export class Service {
	private readonly slots: Semaphore;
	private readonly token: Token;
	/** The requests that have worked in this run. */
	private readonly worked = new Set<string>();
	/** Which of a request's forms was accepted last (see `formKey`). */
	private readonly accepted = new Map<string, number>();
	/** The time when the platform allows requests again, in ms since 1970; 0 if it always does. */
	private pausedUntil = 0;

	private constructor(
		private readonly context: ServiceContext,
		private readonly contexts: ReturnType<typeof contextsFor>,
		readonly settings: ServiceSettings,
		/** What the credential says; read anew when n8n has stored another token in it. */
		private connection: Connection,
	) {
		this.slots = new Semaphore(settings.concurrency);
		this.token = new Token(connection.token !== '', async () => this.renewToken());
	}

	/** @throws InvalidInput when the credential cannot be used as it was filled in */
	static async open(context: ServiceContext, settings: ServiceSettings = DEFAULT_SETTINGS): Promise<Service> {
		const contexts = contextsFor(context);
		const connection = connectionOf(await contexts.cancelledBy().getCredentials(CREDENTIAL));
		return new Service(context, contexts, settings, connection);
	}

	/** The address of the service: scheme and host. */
	get address(): string {
		return this.connection.baseUrl;
	}

	/** The client that the credential stands for. */
	get clientId(): string {
		return this.connection.clientId;
	}

	/** Whether the credential allows only what changes nothing. */
	get isReadOnly(): boolean {
		return this.connection.isReadOnly;
	}

	/** How much AI agents may do with the credential. */
	get agentsMay(): AgentLevel {
		return this.connection.agentsMay;
	}

	/** Aborted when the person presses Stop. */
	get signal(): AbortSignal | undefined {
		const { context } = this;
		return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	}

	/**
	 * What the credential's token says about role, company and permissions (contract 5.2, deployment facts). The service
	 * decides by its own rules, so these are hints only.
	 * @throws ServiceError when no token can be obtained
	 */
	async access(): Promise<Access> {
		// Any request fetches a token where none is stored; whether it is allowed makes no difference here.
		const asked = {
			endpoint: 'GET /api/enrollments/form-details',
			purpose: 'check the access',
		} as const;
		await this.json(asked).catch(async (error: unknown) =>
			error instanceof ServiceError && error.details.status === 403 ? undefined : await rethrow(error),
		);
		await this.readCredential();
		return accessOf(this.connection);
	}

	/**
	 * Sends a request whose answer is JSON.
	 * @throws ServiceError when there is no answer, or one that says that the operation failed
	 * @throws InvalidInput for an ID that cannot be sent
	 */
	async json(request: ServiceRequest): Promise<Envelope> {
		return await this.call(request, 'json', async (answer, sent) => this.read(sent, answer));
	}

	/**
	 * Sends a request whose answer is a file.
	 * @param receive reads the stream; it is called again when the download has to be repeated
	 * @throws ServiceError, InvalidInput, and what `receive` throws
	 */
	async stream<T>(request: ServiceRequest, receive: Receive<T>): Promise<T> {
		return await this.call(request, 'file', receive);
	}

	/**
	 * Reads a JSON answer, also one that came as a stream instead of a file.
	 * @throws ServiceError when the answer is not JSON, or says by its status or in its envelope that the operation failed
	 */
	async read(request: ServiceRequest, { status, headers, body }: HttpResponse): Promise<Envelope> {
		const { helpers } = this.context;
		const isFailure = status < 200 || status > 299;
		const content =
			isStream(body) && 'binaryToString' in helpers
				? // Of a failure, the status is enough where its words cannot be read.
					await helpers.binaryToString(body).catch(async (error: unknown) => (isFailure ? '' : await rethrow(error)))
				: body;
		const envelope = readEnvelope(content);
		const hasWorked = this.worked.has(request.endpoint);
		const problem = explainAnswer(request, this.connection, { status, headers, envelope }, hasWorked);
		if (problem) throw problem;
		if (!envelope) throw unexpectedResponse(content, status);
		return envelope;
	}

	/**
	 * Sends a request until it has an answer, up to five times, and reads the answer. If the service refuses its form, the next one
	 * is sent (see `formsOf`); the form that it accepts is sent at once for the rest of the run.
	 */
	private async call<T>(request: ServiceRequest, kind: 'json' | 'file', receive: Receive<T>): Promise<T> {
		if (this.isReadOnly && !endpointOf(request.endpoint).reads) throw new ServiceError(READ_ONLY);
		const signal = AbortSignal.any([this.signal, request.signal].filter((each) => each !== undefined));
		for (const secret of request.secrets ?? []) this.contexts.secrets.add(secret);
		const { baseUrl, companyHeader } = this.connection;
		const sending = { baseUrl, companyHeader, timeoutMs: this.settings.timeoutMs, kind, signal };
		// Only for its errors: this is where an ID that cannot be sent is found.
		httpOptionsOf(request, sending);
		const forms = formsOf(request);
		const key = formKey(request);
		let at = this.accepted.get(key) ?? 0;
		let refusal: ServiceError | undefined;
		for (let tries = 1; ; tries++) {
			const form = forms[at] ?? request;
			try {
				// Stop ends the wait at once, also for a slot or a token, which cannot be cancelled.
				const received = await rejectOnAbort(this.attempt(form, sending, receive), signal);
				this.accepted.set(key, at);
				return received;
			} catch (error) {
				stopIfAborted(signal);
				const problem = this.notePause(explainFault(error, form, this.connection));
				const next = nextForm(forms, at, problem);
				if (next >= 0) [at, tries, refusal] = [next, 0, refusal ?? problem];
				else if (tries === MAX_TRIES || !mayRepeat(problem, form)) {
					// What was refused in every form is told of the first one, which is what the person asked for.
					const told = refusal?.details.status === problem.details.status ? refusal : problem;
					throw finalError(told ?? problem, form, tries, this.contexts.secrets);
				}
				// A service may ask for a wait of 0 seconds; a pause is made nevertheless.
				else await pause(Math.max(problem.details.retryAfterMs ?? 0, backOffMs(tries)), signal);
			}
		}
	}

	/** Pauses the run's requests if the platform asks for a long wait. @returns the error about the pause, or `problem` if there is none */
	private notePause(problem: ServiceError): ServiceError {
		const resumesAt = findResumeTime(problem);
		if (resumesAt === undefined) return problem;
		this.pausedUntil = Math.max(this.pausedUntil, resumesAt);
		return createPauseError(this.pausedUntil, this.context.getTimezone(), problem);
	}

	/** Checks that the platform allows requests. @throws ServiceError if not */
	private checkPause(): void {
		if (Date.now() < this.pausedUntil) throw createPauseError(this.pausedUntil, this.context.getTimezone());
	}

	/** One attempt, as soon as a slot is free: sends the request, again if its token was refused, and reads the answer. */
	private async attempt<T>(request: ServiceRequest, sending: Sending, receive: Receive<T>): Promise<T> {
		const { signal, timeoutMs } = sending;
		const turn = this.slots.enter();
		if (turn) await turn;
		const ended = new AbortController();
		const context = this.contexts.cancelledBy(AbortSignal.any([signal, ended.signal]));
		let body: unknown;
		try {
			const answer = await this.token.send(async () => {
				// It may have been stopped while it waited for a slot, or for the token: then nothing is sent.
				stopIfAborted(signal);
				this.checkPause();
				const options = httpOptionsOf(request, sending);
				const sent = context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
				// Some versions of n8n's HTTP library never answer for a body that cannot be decompressed (n8n-facts 16).
				return responseShape.parse(await withTimeout<unknown>(timeoutMs, sent));
			});
			({ body } = answer);
			if (isStream(body)) abortOnInactivity(body, timeoutMs, () => ended.abort());
			// Only a success has what was asked for; of any other status, `read` throws what it says.
			if (answer.status < 200 || answer.status > 299) await this.read(request, answer);
			const received = await receive(answer, request);
			this.worked.add(request.endpoint);
			return received;
		} finally {
			// An unread stream, or the answer that it wraps, would keep its connection open.
			if (isStream(body)) body.destroy();
			// With a reason, because the usual one is an exception with its stack, for each request.
			ended.abort('over');
			this.slots.leave();
		}
	}

	/** Reads the token that n8n has stored just now: its permissions explain a 403, and it must not be shown. */
	private async readCredential(): Promise<void> {
		this.contexts.forget();
		this.connection = connectionOf(await this.contexts.cancelledBy().getCredentials(CREDENTIAL));
	}

	/** Has n8n fetch a token, for no longer than 'Timeout': n8n itself waits five minutes, or for ever before 2.41. */
	private async renewToken(): Promise<void> {
		const seen = new Set(this.contexts.secrets);
		await this.readCredential();
		// Another run has renewed it since the reading that the refused request was sent with.
		if (this.connection.token !== '' && !seen.has(this.connection.token)) return;
		const context = this.contexts.cancelledBy();
		const renewed = context.helpers.refreshOAuth2Token.call(context, CREDENTIAL);
		await withTimeout(this.settings.timeoutMs, renewed).catch((error: unknown) => {
			throw explainTokenFault(error, this.connection);
		});
		await this.readCredential();
		// n8n stores any JSON that comes back.
		if (this.connection.token === '') throw explainTokenFault(new Error('JSON without access token'), this.connection);
	}
}

/** Whether a request that failed is sent again: a write only if it certainly was not carried out. */
const mayRepeat = ({ details }: ServiceError, { endpoint }: ServiceRequest) =>
	endpointOf(endpoint).reads
		? details.transient || details.status === 500
		: details.transient && !details.mayHaveBeenApplied;

/**
 * How long to wait after this many tries, in ms: a random time, so that requests that failed together are not repeated together; at
 * most 4 seconds before the last try.
 */
const backOffMs = (tries: number) => Math.random() * FIRST_BACK_OFF_MS * 2 ** (tries - 1);
