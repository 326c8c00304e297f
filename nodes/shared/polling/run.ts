import type { IPollFunctions } from 'n8n-workflow';

import { pagesOf } from '../answer/search';
import type { Ask } from '../answer/paging';
import { Targets } from '../scope/scope';
import { asError, ServiceError } from '../transport/errors';
import { GuardRefusal } from '../transport/guard/refusal';
import { toNodeError } from '../transport/nodeError';
import type { Company, ServiceRequest } from '../transport/request';
import type { Service } from '../transport/service';
import { waitFor } from '../transport/waiting';
import type { Choices } from './choices';
import { Clock } from './clock';
import { fingerprint } from './state';
import type { Kind } from './trigger';

/** For how much longer requests that were sent before are awaited, as a share of the poll's time, and of that of the stage. */
const GRACE = 0.35;
/** When nothing is awaited any more, as a share of the same time. */
const LATEST = 0.95;

/** For how long a page is waited for at most, if 'Timeout' does not say so: other new records wait too. */
const PAGE_SECONDS = 30;
/** For how long the list of companies is waited for, if an earlier poll has listed them: so much of what is left of the stage. */
const LISTING = 0.5;
/** For how long the companies that a round began with will do: to list 50,000 of them for each poll would take all its time. */
const LISTED_MS = 10 * 60_000;
/** For how long they will do where the companies cannot be listed. */
const MOST_AGE_MS = 24 * 60 * 60_000;
/** The companies that were listed last, by what was chosen. */
const listed = new Map<string, { at: number; companies: Company[] }>();

/** A part of a poll that has its own share of the time. */
export interface Stage {
	/** Aborted when the time is up: what is under way then is not waited for. */
	signal: AbortSignal;
	isOver: () => boolean;
	/** How many ms are left until it is over. */
	left: () => number;
}

/** A list that could not be read in this poll. */
export interface Failure {
	error: unknown;
	kind: Kind;
	/** Which list, in the middle of a sentence. */
	list: string;
	company?: Company | undefined;
}

/** Whether a request was cancelled because the time was up. */
export const isCutShort = (thrown: unknown) => thrown instanceof ServiceError && thrown.details.cause === 'cancelled';

/** What is to be said where the time was up. */
export const tooSlow = () =>
	new ServiceError({
		reason: 'the service did not answer in the time that a poll has for it',
		advice: "The next poll tries again. If it goes on, set a smaller 'Page Size', or split the trigger by company.",
		cause: 'temporarily-unavailable',
		mayHaveBeenApplied: false,
		transient: true,
	});

/** Whether the service will not answer this request, however often it is asked. */
export const isRefused = (error: unknown): error is ServiceError =>
	(error instanceof GuardRefusal && error.needsCompany) ||
	(error instanceof ServiceError && !error.details.transient && [400, 403, 404].includes(error.details.status ?? 0));

/** Whether the service has trouble that may pass, and nothing is wrong with what was asked, or with the credential. */
export const isTrouble = (error: unknown) =>
	error instanceof ServiceError &&
	!['credential-invalid', 'configuration-invalid'].includes(error.details.cause) &&
	!/^4(?!29)/.test(String(error.details.status));

/** Names something in n8n's log. */
export function warn(context: IPollFunctions, message: string): void {
	const { name, id } = context.getWorkflow();
	context.logger.warn(`${context.getNode().name} of workflow '${name ?? id}': ${message}`);
}

/** What one poll works with: the service, its time, and the log. */
export class Run {
	readonly clock = new Clock();
	readonly failures: Failure[] = [];
	private readonly begunAt = performance.now();
	private companies: Promise<Company[]> | undefined;

	constructor(
		readonly context: IPollFunctions,
		readonly choices: Choices,
		readonly service: Service,
		readonly budgetMs: number,
	) {}

	/** Whether a search without a company can be used: a condition on companies needs to know each record's company for certain. */
	get asksAll(): boolean {
		const { scope } = this.choices;
		return scope.kind !== 'every' || Object.keys(scope.filter).length === 0;
	}

	/**
	 * @param share the part of the poll's whole time at whose end nothing more is begun
	 * @param mostMs how long it takes at most from now on
	 */
	stage(share: number, mostMs = Infinity): Stage {
		const { begunAt, budgetMs } = this;
		const now = performance.now();
		const deadline = Math.min(begunAt + budgetMs * share, now + mostMs);
		const last = Math.min(deadline + Math.min(budgetMs, mostMs) * GRACE, begunAt + budgetMs * LATEST);
		const signal = AbortSignal.timeout(Math.max(0, Math.ceil(last - now)));
		const left = () => Math.max(0, deadline - performance.now());
		return { signal, left, isOver: () => signal.aborted || left() === 0 };
	}

	/** The pages of a list, the newest records first. @param company undefined for the search that names none */
	pagesOf({ contract, things, body }: Kind, company: Company | undefined, stage: Stage): ReturnType<typeof pagesOf> {
		const filter = { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] };
		const request: ServiceRequest = {
			contract,
			repeatable: true,
			purpose: `look for ${things}`,
			signal: stage.signal,
			body: { orderBy: 'CreateTime', ascending: false, filter, ...body },
			...(company ? { company } : {}),
		};
		const pages = pagesOf(this.service, request, { isOwnOrder: true });
		const ask: Ask = async (page, signal) => {
			const own = AbortSignal.timeout((this.choices.options.timeout ?? PAGE_SECONDS) * 1000);
			const data = await waitFor(pages.ask(page, AbortSignal.any([signal, own])), [stage.signal, own]);
			this.clock.hear(pages.told.servedAt);
			return data;
		};
		return { ...pages, ask };
	}

	/**
	 * The companies that were chosen, children before their parents, whose lists may hold theirs as well. Where they cannot
	 * be listed, those will do that an earlier poll has listed.
	 * @param isOnTheWay whether those will do in any case, because a round goes on
	 */
	async listCompanies({ signal, left }: Stage, isOnTheWay = false): Promise<Company[]> {
		const former = listed.get(this.companiesKey);
		const age = former ? Math.abs(Date.now() - former.at) : Infinity;
		if (!former || age > MOST_AGE_MS) return await waitFor(this.listNow(signal), [signal]);
		const { companies } = former;
		if (isOnTheWay && age < LISTED_MS) return companies;
		const own = AbortSignal.timeout(Math.ceil(left() * LISTING));
		return await waitFor(this.listNow(signal), [signal, own]).catch((error: unknown) => {
			const why = asError(isCutShort(error) ? tooSlow() : error).message;
			this.warn(`The list of companies cannot be read (${why}), so those are used that were listed last.`);
			this.companies = Promise.resolve(companies);
			return companies;
		});
	}

	/** Why the list of companies cannot be read now: then a refusal of other lists means little. @returns undefined if it can */
	async whyNoCompanies({ signal }: Stage): Promise<unknown> {
		return await waitFor(this.listNow(signal), [signal]).then(
			() => undefined,
			(error: unknown) => error,
		);
	}

	/** Stands for the companies that were chosen. */
	private get companiesKey(): string {
		return fingerprint([this.service.address, this.service.clientId, this.choices.scope]);
	}

	private async listNow(signal: AbortSignal): Promise<Company[]> {
		this.companies ??= new Targets(this.service, (message) => this.warn(message))
			.of(this.choices.scope, signal)
			.then((targets) => {
				const companies = targets.flatMap(({ company }) => company ?? []).reverse();
				listed.set(this.companiesKey, { at: Date.now(), companies });
				return companies;
			});
		return await this.companies;
	}

	/** Notes a list that could not be read; the other lists are read all the same. @param things what it lists */
	fail(error: unknown, kind: Kind, company?: Company, things = kind.things): void {
		const list = company ? `${things} of ${company.name || company.id}` : things;
		this.failures.push({ error: isCutShort(error) ? tooSlow() : error, kind, list, company });
	}

	/** Writes to the log which lists could not be read. @param worked how many lists were read @throws if none was */
	reportFailures(worked: number): void {
		const { failures } = this;
		const [first] = failures;
		if (!first) return;
		const { error, kind, list, company } = first;
		const purpose = `look for ${kind.things}`;
		if (worked === 0)
			throw toNodeError(this.context.getNode(), error, {
				purpose,
				...(company && failures.length === 1 ? { company } : {}),
			});
		this.warn(
			`${failures.length} of ${failures.length + worked} lists could not be read and are tried again later. The first, ${list}: ${asError(error).message}`,
		);
	}

	/** Names something in n8n's log. */
	warn(message: string): void {
		warn(this.context, message);
	}
}
