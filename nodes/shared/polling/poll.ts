import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { fold } from '../answer/fileName';
import { askSearch } from '../answer/search';
import { labelsOf, type FieldMap, type Values } from '../form/field';
import { FormValues } from '../form/formValues';
import { collection } from '../form/collection';
import { scopeOf, Targets, type ScopeChoice } from '../scope/scope';
import { mapBounded } from '../transport/concurrency';
import { CREDENTIAL } from '../transport/connection';
import { toNodeError } from '../transport/nodeError';
import { ServiceError } from '../transport/errors';
import type { Company, ServiceRequest } from '../transport/request';
import { DEFAULT_SETTINGS, Service } from '../transport/service';
import { toJson } from '../transport/envelope';
import { eventFields, formOfTrigger, optionFields } from './fields';
import { NEWEST, isCutShort, readSource, watermarkOf, type Found, type Read, type Reading } from './source';
import { fingerprint, keyOf, packState, seedKey, trim, unpackState, type SourceState, type State } from './state';
import { companyIn, type Kind, type TriggerSpec } from './trigger';

const HOUR = 3_600_000;
/** n8n's own limit where it does not name one. */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The durable scheduler gives less than this; the usual poller gives minutes. */
const DURABLE_BELOW_MS = 60_000;
/** How long the durable scheduler may take to save what a poll has given. */
const SAVED_WITHIN_MS = 30_000;
/** The part of the budget for reading; the rest is for what is under way. */
const READING_SHARE = 0.7;
const SAMPLES = 5;
/** Lists that are read for samples where each company has its own. */
const SAMPLED_LISTS = 20;
/** A poll that has not ended by then is not waited for any more. */
const LOST_AFTER_MS = 15 * 60_000;

/** The polls under way: n8n's usual poller starts the next one whether or not the last has ended. */
const underWay = new Map<string, number>();

/** What the last polls that gave something had begun with, for the durable scheduler, which saves after a poll has ended. */
const handedOver = new Map<string, { begunWith: string; at: number }>();

/** A list of one company, or of all. */
interface Source {
	key: string;
	kind: Kind;
	company?: Company;
	/** Whether it is the search that names no company, to find the records of every one. */
	isAll?: boolean;
}

/** What became of a source in this poll. */
interface Visit {
	source: Source;
	read: Read;
	items: Array<{ found: Found; item: INodeExecutionData }>;
	state: SourceState;
}

/**
 * Polls: gives every record that is new since the last successful poll once, in one batch, the oldest first.
 * @returns null when there is nothing: n8n starts an execution for anything else
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	spec: TriggerSpec<F>,
): Promise<INodeExecutionData[][] | null> {
	const node = context.getNode();
	const isManual = context.getMode() === 'manual';
	const guard = `${context.getWorkflow().id} ${node.id}`;
	const startedAt = performance.now();
	if (!isManual) {
		const other = underWay.get(guard);
		if (other !== undefined && startedAt - other < LOST_AFTER_MS) return null;
		underWay.set(guard, startedAt);
	}
	try {
		const poll = await Poll.open(context, spec);
		const items = isManual ? await poll.samples() : await poll.run(guard);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw toNodeError(node, error, {
			purpose: `look for ${spec.things}`,
			labels: (path) => labelsOf(formOfTrigger(spec), path),
		});
	} finally {
		if (!isManual && underWay.get(guard) === startedAt) underWay.delete(guard);
	}
}

function budgetOf(context: IPollFunctions): number | undefined {
	// Not in the types of the n8n that this is built against: from 2.3x on.
	const newer: IPollFunctions & { getPollBudgetMs?: () => unknown } = context;
	const budget = newer.getPollBudgetMs?.();
	return typeof budget === 'number' && budget > 0 ? budget : undefined;
}

/** Where a trigger's state is kept. */
interface StateStore {
	read: () => unknown;
	write: (state: IDataObject) => void;
	/** Whether n8n reads it anew for each poll, and saves it some moments after a poll that gave something has ended. */
	isReread: boolean;
}

/**
 * n8n's usual poller files a node's own data under the node's name, which a person may change; the workflow's data under
 * the node's ID stays. With durable cursors n8n hands out a copy of the node's own data, filed by ID, and keeps that in
 * one transaction with the execution. It does not keep the copy of the poll at activation, nor knows what the usual
 * poller had: so long as the copy is empty, the workflow's data counts.
 */
function stateStoreOf(context: IPollFunctions): StateStore {
	const shared = context.getWorkflowStaticData('global');
	const sharedKey = `securityAwareness ${context.getNode().id}`;
	const own = context.getWorkflowStaticData('node');
	// n8n marks what it watches for changes; a copy of its own is not marked.
	if ('__dataChanged' in own)
		return {
			read: () => shared[sharedKey],
			write: (state) => (shared[sharedKey] = state),
			isReread: (budgetOf(context) ?? Infinity) < DURABLE_BELOW_MS,
		};
	const key = 'securityAwareness';
	return {
		read: () => own[key] ?? shared[sharedKey],
		write: (state) => {
			if (own[key] === undefined) shared[sharedKey] = state;
			else if (sharedKey in shared) delete shared[sharedKey];
			own[key] = state;
		},
		isReread: true,
	};
}

/** Another client sees other lists; a new secret of the same one changes nothing. */
const client = z.object({ clientId: z.string().catch('') });

interface Choices {
	triggerOn: 'new' | 'statusChanged';
	statuses: string[];
	scope: ScopeChoice;
	kinds: Kind[];
	options: Partial<Values<typeof optionFields>>;
}

class Poll {
	private readonly deadline: number;
	private readonly signal: AbortSignal;
	private readonly watchesStatus: boolean;
	private readonly failures: Array<{ error: unknown; source: Source }> = [];
	/** The sources that there was no time for. */
	private readonly unread: Source[] = [];
	private companies: Promise<Company[]> | undefined;

	private constructor(
		private readonly context: IPollFunctions,
		private readonly choices: Choices,
		private readonly service: Service,
		private readonly print: string,
	) {
		const readingMs = (budgetOf(context) ?? USUAL_BUDGET_MS) * READING_SHARE;
		this.deadline = performance.now() + readingMs;
		this.signal = AbortSignal.timeout(readingMs);
		this.watchesStatus = choices.triggerOn === 'statusChanged';
	}

	/** Checks what a person chose. @throws InvalidInput */
	static async open<F extends FieldMap>(context: IPollFunctions, spec: TriggerSpec<F>): Promise<Poll> {
		const { parameters } = context.getNode();
		const raw = (name: string): unknown => (name in parameters ? (context.getNodeParameter(name) ?? null) : undefined);
		const item = {
			timezone: context.getTimezone(),
			upload: () => Promise.reject(new TypeError('A trigger has no input')),
		};
		const form = (await FormValues.read(formOfTrigger(spec), raw, item)).valid();
		const values = form.of(spec.fields);
		const { triggerOn, statuses = [] } = form.of(eventFields);
		const scope = scopeOf('companies', form);
		const { options } = form.of({ options: collection({ displayName: 'Options', fields: optionFields }) });
		const kinds = spec.kinds(values);
		const budget = budgetOf(context) ?? USUAL_BUDGET_MS;
		const service = await Service.open(context, {
			concurrency: options.concurrency ?? DEFAULT_SETTINGS.concurrency,
			timeoutMs: Math.min((options.timeout ?? Infinity) * 1000, DEFAULT_SETTINGS.timeoutMs, budget * READING_SHARE),
		});
		const { clientId } = client.parse(await context.getCredentials(CREDENTIAL));
		const print = fingerprint([
			service.address,
			clientId,
			values,
			triggerOn,
			statuses.map(fold).sort(),
			scope.kind === 'one' ? scope.company.id : scope,
			options.emitExistingSince ?? null,
		]);
		return new Poll(context, { triggerOn, statuses: statuses.map(fold), scope, kinds, options }, service, print);
	}

	/** One poll, with what it has to remember. @param guard the node's name among all @throws when no list could be read */
	async run(guard: string): Promise<INodeExecutionData[]> {
		const place = stateStoreOf(this.context);
		const stored = place.read();
		const begunWith = place.isReread ? fingerprint(stored ?? null) : '';
		const last = handedOver.get(guard);
		// What the last poll gave is still being saved: it would be given again.
		if (place.isReread && last?.begunWith === begunWith && performance.now() - last.at < SAVED_WITHIN_MS) return [];
		const former = this.formerState(stored);
		const state: State = { print: this.print, sources: new Map(former?.sources) };
		const visits: Visit[] = [];
		const { each, all } = this.lists(former);
		visits.push(...(await this.visitAll(all, former, state)));
		const fallen = all.filter(
			({ kind }) => state.sources.has(seedKey(kind.code)) || former?.sources.has(seedKey(kind.code)),
		);
		const kinds = [...each, ...fallen.map(({ kind }) => kind)];
		if (kinds.length > 0) {
			const sources = await this.perCompany(kinds);
			visits.push(...(await this.visitEach(rotated(sources, former?.startWith), former, state)));
		}
		this.reportFailures(visits.length);
		// Without a single list there is nothing to count from.
		if (!former && visits.length === 0) return [];
		if (!former) this.seed(state, visits);
		for (const { source, state: next } of visits) state.sources.set(source.key, next);
		const [next] = this.unread;
		if (next) state.startWith = next.key;
		this.keepWithinBounds(state, visits);
		// The one assignment: n8n notices only those at the top, and a poll that fails before must change nothing.
		place.write(packState(state, this.watchesStatus));
		const items = visits.flatMap((visit) => visit.items);
		if (place.isReread && items.length > 0) handedOver.set(guard, { begunWith, at: performance.now() });
		return items.sort((one, other) => (one.found.created ?? 0) - (other.found.created ?? 0)).map(({ item }) => item);
	}

	/** Recent records, as the poll would give them. What is remembered is neither read nor changed. */
	async samples(): Promise<INodeExecutionData[]> {
		const { scope, kinds } = this.choices;
		const sample = async (source: Source) => {
			const read = await readSource({ ...this.reading(source), pageSize: SAMPLES, isOver: () => false }, undefined);
			const newest = read.seen.slice(0, SAMPLES);
			// Companies are read one by one where the list names none.
			if (source.isAll && newest.length > 0 && !namesCompanies(newest)) return undefined;
			return (await this.itemsOf(source, newest)).items;
		};
		const width = this.service.settings.concurrency;
		const first =
			scope.kind === 'every' && this.mayAskAll()
				? kinds.map((kind): Source => ({ key: '', kind, isAll: true }))
				: (await this.perCompany(kinds)).slice(0, SAMPLED_LISTS);
		const found = await mapBounded(first, width, sample);
		const nameless = first.flatMap(({ kind }, index) => {
			const outcome = found[index];
			return outcome?.ok && outcome.value === undefined ? [kind] : [];
		});
		if (nameless.length > 0) {
			const lists = (await this.perCompany(nameless)).slice(0, SAMPLED_LISTS);
			found.push(...(await mapBounded(lists, width, sample)));
		}
		const failed = found.find((outcome) => !outcome.ok);
		const items = found.flatMap((outcome) => (outcome.ok ? (outcome.value ?? []) : []));
		if (items.length === 0 && failed && !failed.ok) return await Promise.reject(failed.error);
		return items
			.sort((one, other) => (other.found.created ?? 0) - (one.found.created ?? 0))
			.slice(0, SAMPLES)
			.map(({ item }) => item);
	}

	private formerState(stored: unknown): State | undefined {
		const former = unpackState(stored);
		if (former === 'unreadable') {
			this.warn(
				'What was remembered of earlier polls cannot be read, so this poll begins anew: it remembers what is there and gives what is created from now on.',
			);
			return undefined;
		}
		if (former && former.print !== this.print) {
			this.warn(
				'The settings were changed, so this poll begins anew: it remembers what is there and gives what is created from now on.',
			);
			return undefined;
		}
		return former;
	}

	/** Which kinds are asked of all companies at once, and which of each. */
	private lists(former: State | undefined): { each: Kind[]; all: Source[] } {
		const { kinds, scope } = this.choices;
		const isAsked = (kind: Kind) =>
			scope.kind === 'every' && this.mayAskAll() && former?.sources.has(seedKey(kind.code)) !== true;
		return {
			each: kinds.filter((kind) => !isAsked(kind)),
			all: kinds.filter(isAsked).map((kind) => ({ key: keyOf(kind.code), kind, isAll: true })),
		};
	}

	/** A condition on companies needs each record's company for certain, which only a search in its name gives. */
	private mayAskAll(): boolean {
		const { scope } = this.choices;
		return scope.kind === 'every' && Object.keys(scope.filter).length === 0;
	}

	/** Reads the lists of all companies; one that does not name companies is left to be read for each. */
	private async visitAll(sources: Source[], former: State | undefined, state: State): Promise<Visit[]> {
		const fallBack = (source: Source) => {
			const prior = former?.sources.get(source.key);
			if (prior) state.sources.set(seedKey(source.kind.code), prior);
			else state.sources.set(seedKey(source.kind.code), emptySource(0));
			state.sources.delete(source.key);
		};
		const visits = await this.visitEach(sources, former, state, (source, read) => {
			const isKnowable = read.isTimed || read.total <= NEWEST;
			if (isKnowable && (read.seen.length === 0 || namesCompanies(read.seen))) return true;
			fallBack(source);
			return false;
		});
		for (const failure of [...this.failures]) {
			if (former || !isRefused(failure.error)) continue;
			this.failures.splice(this.failures.indexOf(failure), 1);
			fallBack(failure.source);
		}
		return visits;
	}

	private async perCompany(kinds: Kind[]): Promise<Source[]> {
		const { scope } = this.choices;
		if (scope.kind === 'own') return kinds.map((kind) => ({ key: keyOf(kind.code), kind }));
		const companies = scope.kind === 'one' ? [scope.company] : await this.listCompanies();
		return companies.flatMap((company) => kinds.map((kind) => ({ key: keyOf(kind.code, company.id), kind, company })));
	}

	private async listCompanies(): Promise<Company[]> {
		this.companies ??= (async () => {
			const targets = await new Targets(this.service, (message) => this.warn(message)).of(this.choices.scope);
			return targets.flatMap(({ company }) => company ?? []);
		})();
		return await this.companies;
	}

	/** Reads lists, several at once; one that fails keeps what is remembered of it. */
	private async visitEach(
		sources: Source[],
		former: State | undefined,
		state: State,
		isUsable: (source: Source, read: Read) => boolean = () => true,
	): Promise<Visit[]> {
		const outcomes = await mapBounded(
			sources,
			this.service.settings.concurrency,
			async (source): Promise<Visit | undefined> => {
				const own = former?.sources.get(source.key);
				const seed =
					former && !source.isAll ? (state.sources.get(seedKey(source.kind.code)) ?? emptySource(0)) : undefined;
				const isInherited = own === undefined && seed !== undefined;
				const read = await readSource(this.reading(source), own ?? seed, isInherited);
				if (!isUsable(source, read)) return undefined;
				if (read.nameless > 0) this.warn(`${read.nameless} ${source.kind.things} have no ID and are left out.`);
				const { items, held } = await this.itemsOf(
					source,
					read.fresh.filter((found) => this.isWanted(found)),
				);
				return { source, read, items, state: read.settle(held) };
			},
			() => !this.isOver(),
		);
		return sources.flatMap((source, index) => {
			const outcome = outcomes[index];
			if (outcome?.ok) return outcome.value ?? [];
			if (!outcome || isCutShort(outcome.error)) this.unread.push(source);
			else this.failures.push({ error: outcome.error, source });
			return [];
		});
	}

	private isWanted({ status }: Found): boolean {
		const { statuses } = this.choices;
		return !this.watchesStatus || statuses.length === 0 || statuses.includes(fold(status));
	}

	private reading({ kind, company }: Source): Reading {
		const { lateArrivals = 24, watchedDays = 30, pageSize, emitExistingSince } = this.choices.options;
		return {
			ask: async (page) => {
				const request: ServiceRequest = {
					contract: kind.contract,
					repeatable: true,
					purpose: `look for ${kind.things}`,
					signal: this.signal,
					body: {
						...page,
						orderBy: 'CreateTime',
						ascending: false,
						filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
						...kind.body,
					},
					...(company ? { company } : {}),
				};
				const { answer, instead } = await askSearch(
					this.service,
					request,
					{ isOwnOrder: true },
					async (way) => await this.service.json(way),
				);
				return { ...answer, isReordered: instead !== undefined };
			},
			identity: kind.identity,
			windowMs: this.watchesStatus ? watchedDays * 24 * HOUR : lateArrivals * HOUR,
			pageSize,
			since: emitExistingSince === undefined || this.watchesStatus ? undefined : Date.parse(emitExistingSince),
			watchesStatus: this.watchesStatus,
			isOver: () => this.isOver(),
		};
	}

	private isOver(): boolean {
		return this.signal.aborted || performance.now() >= this.deadline;
	}

	/** Makes items of records. Those whose details cannot be read now are held back until they can. */
	private async itemsOf(source: Source, records: Found[]) {
		const held = new Set<string>();
		const stamps = await this.stampsFor(source, records);
		const outcomes = await mapBounded(records, this.service.settings.concurrency, async (found) => {
			const { id, name } = stamps(found);
			const json: IDataObject = {
				...found.record,
				...missingFrom(found.record, {
					kind: source.kind.name,
					...(id === undefined ? {} : { companyResourceId: id }),
					...(name === undefined || name === '' ? {} : { companyName: name }),
				}),
			};
			const details = await this.detailsOf(source, found);
			return { found, item: { json: details === undefined ? json : { ...json, details } } };
		});
		const items = records.flatMap((found, index) => {
			const outcome = outcomes[index];
			if (outcome?.ok) return outcome.value;
			held.add(found.id);
			return [];
		});
		if (held.size > 0)
			this.warn(
				`${held.size} ${source.kind.things} wait for the next poll, because their details could not be read now.`,
			);
		return { items, held };
	}

	private async detailsOf({ kind, company }: Source, { record }: Found): Promise<IDataObject | undefined> {
		const request = this.choices.options.includeDetails ? kind.details(record) : undefined;
		if (!request) return undefined;
		const own = companyIn(record);
		const owner = company ?? (own.id === undefined ? undefined : { id: own.id, name: own.name ?? '' });
		const whole: ServiceRequest = {
			...request,
			repeatable: true,
			purpose: `read the details of ${kind.things}`,
			signal: this.signal,
			...(owner ? { company: owner } : {}),
		};
		try {
			return toJson((await this.service.json(whole)).data);
		} catch (error) {
			// What will not be better next time must not hold the record back for ever.
			if (isRefused(error)) {
				this.warn(`The details of one of the ${kind.things} cannot be read: ${error.message}`);
				return undefined;
			}
			return await Promise.reject(error instanceof Error ? error : new Error(String(error)));
		}
	}

	/** Finds the companies of records: the one that was asked for, or the one that a record names. */
	private async stampsFor({ company, isAll }: Source, records: Found[]) {
		const names = ({ record }: Found) => companyIn(record);
		if (company)
			return (found: Found) => ({ id: company.id, name: company.name === '' ? names(found).name : company.name });
		if (!isAll || records.every((found) => names(found).id !== undefined)) return names;
		const companies = await this.listCompanies();
		return (found: Found) => {
			const own = names(found);
			const alike = companies.filter(({ name }) => own.name !== undefined && fold(name) === fold(own.name));
			const [only] = alike;
			return own.id === undefined && only && alike.length === 1 ? { ...own, id: only.id } : own;
		};
	}

	/** What lists begin with that come later, or could not be read now: whatever is created from now on. */
	private seed(state: State, visits: Visit[]) {
		const { emitExistingSince } = this.choices.options;
		const read = visits.map(({ read: each }) => each);
		const now = read.find((each) => each.now !== undefined)?.now;
		const watermark = watermarkOf(
			read.flatMap(({ seen }) => seen),
			now,
		);
		const from = emitExistingSince === undefined ? watermark : Math.min(watermark, Date.parse(emitExistingSince));
		for (const { source } of this.failures) state.sources.set(source.key, emptySource(from));
		for (const { key } of this.unread) state.sources.set(key, emptySource(from));
		// What a company has that was not there before is new.
		for (const { code } of this.choices.kinds)
			if (!state.sources.has(keyOf(code)) && !visits.some(({ source }) => source.isAll && source.kind.code === code))
				state.sources.set(seedKey(code), { ...emptySource(from), isWhole: true });
	}

	/** @throws when nothing worked; otherwise tells what did not */
	private reportFailures(worked: number) {
		const [first] = this.failures;
		if (!first) return;
		const { company } = first.source;
		if (worked === 0)
			throw toNodeError(this.context.getNode(), first.error, {
				purpose: `look for ${first.source.kind.things}`,
				...(company && this.failures.length === 1 ? { company } : {}),
			});
		const reason = first.error instanceof Error ? first.error.message : String(first.error);
		this.warn(
			`${this.failures.length} of ${this.failures.length + worked} lists could not be read and are tried again next time. The first, ${first.source.kind.things}${company ? ` of ${company.name || company.id}` : ''}: ${reason}`,
		);
	}

	private keepWithinBounds(state: State, visits: Visit[]) {
		const times = new Map(
			visits.map(({ source, read }) => [
				source.key,
				new Map(read.seen.flatMap(({ id, created }) => (created === undefined ? [] : [[id, created] as const]))),
			]),
		);
		if (trim(state, times))
			this.warn(
				'More recent records than can be remembered: the oldest were forgotten, so records that show up late may be missed. Shorten the window, or split the trigger by company.',
			);
	}

	private warn(message: string) {
		this.context.logger.warn(`${this.context.getNode().name}: ${message}`);
	}
}

const namesCompanies = (found: Found[]) => found.some(({ record }) => Object.keys(companyIn(record)).length > 0);

/** Whether the service will not answer this request, however often it is asked. */
const isRefused = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && !error.details.transient && [400, 403, 404].includes(error.details.status ?? 0);

/** Begins with the source that the last poll did not get to. */
function rotated(sources: Source[], first: string | undefined): Source[] {
	const at = Math.max(
		0,
		sources.findIndex(({ key }) => key === first),
	);
	return [...sources.slice(at), ...sources.slice(0, at)];
}

const emptySource = (from: number): SourceState => ({
	from,
	next: from,
	known: new Map(),
	vanished: [],
	isWhole: false,
});

const missingFrom = (record: IDataObject, more: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(more).filter(([name]) => record[name] === undefined || record[name] === null));
