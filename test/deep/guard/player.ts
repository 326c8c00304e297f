/** Plays a history, and says what was not as it must be. */
import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { byId, type Run } from '../../cases';
import { PICKERS } from '../../pickers/table';
import type { State } from '../../stand-in';
import { SIMULATORS } from '../../stand-in/personality';
import type { Company } from '../../stand-in/seed';
import { attacked, namesOf, type Parties } from './attacks';
import { CASES, type GuardFixture } from './guardFixture';
import type { History, Scope, Step } from './history';
import { judged } from './judge';
import { rulesOf, type Rules } from './settings';
import { pick, poll, run } from './steps';

/** A numeric company cannot be compared with the IDs of a list; who limits the companies leaves it out. */
const checkable = (parameters: IDataObject): IDataObject => omit(parameters, ['reportOptions.companyId']);

const related = (scope: Scope, parties: Parties): IDataObject =>
	({
		own: { companyScope: 'one', company: byId(parties.own) },
		other: { companyScope: 'one', company: byId(parties.other) },
		every: { companyScope: 'every' },
		credential: { companyScope: 'own' },
	})[scope];

/** Whether n8n did not begin: it takes an expression in a choice for every choice, and misses the fields of the others. */
const isOfN8n = (error: string): boolean => error.includes('The workflow has issues');

type Holdings = ReturnType<State['of']>;

/** The ID of what a company began before a poll. */
const newsOf = (index: number, company: string): string => `news-${index}-of-${company}`;

/** What must come of a step if nothing is written into it. */
interface Must {
	/** It works where everything is allowed, and also where the companies are limited or only reads are allowed. */
	work: boolean;
	limited: boolean;
	readOnly: boolean;
	/** It is refused where the companies are limited. */
	fail: boolean;
}

/** What is wrong with how a step ended. */
function errorsOf(rules: Rules, must: Must, error: string | undefined): string[] {
	const isLimited = rules.companies !== undefined;
	const isOff = !isLimited && rules.writes && !rules.nothing;
	if (isOff && /Only These Companies|What It May Do/.test(error ?? ''))
		return [`it is refused although nothing is set: ${error}`];
	if (!rules.clear || rules.nothing) return [];
	if (must.fail && isLimited && error === undefined) return ['it is not told that the company is not allowed'];
	const works = must.work && (!isLimited || must.limited) && (rules.writes || must.readOnly);
	return works && error !== undefined && !isOfN8n(error) ? [`it must work: ${error}`] : [];
}

/** Runs one history. */
export class Player {
	private readonly ids: string[];
	private readonly own: Company;
	private readonly other: Company;
	private readonly memories = new Map<number, IDataObject>();
	/** When something was begun, once for each poll. */
	private readonly begun: string[] = [];
	private readonly tokens = new Map<string, string | undefined>();

	constructor(
		private readonly fixture: GuardFixture,
		private readonly history: History,
	) {
		const { own, other } = fixture.parties(history.own, history.relation, history.any);
		const rest = fixture.customer.state.companies
			.filter((each) => each !== own && each !== other)
			.slice(0, history.more);
		this.own = own;
		this.other = other;
		this.ids = [own, ...rest].map(({ companyResourceId }) => companyResourceId);
	}

	private get parties(): Parties {
		const ids = [this.own, this.other].map(({ companyResourceId }) => companyResourceId);
		const things = ids.map((id) => this.fixture.customer.state.of(id).enrollments[0]?.resourceId ?? '');
		return { own: ids[0] ?? '', other: ids[1] ?? '', ownThing: things[0] ?? '', otherThing: things[1] ?? '' };
	}

	/** @returns what went wrong, in words */
	async play(): Promise<string[]> {
		const wrong: string[] = [];
		for (const [index, step] of this.history.steps.entries()) {
			const complaints = await this.step(step);
			wrong.push(...complaints.map((complaint) => `step ${index + 1} (${step.kind}): ${complaint}`));
		}
		return wrong;
	}

	private async step(step: Step): Promise<string[]> {
		const { fixture, parties } = this;
		const chosen = this.history.settings[step.settings % this.history.settings.length];
		if (!chosen) return [];
		this.begin(step);
		fixture.use(chosen, this.ids, parties.other);
		const isAgent = step.kind === 'run' && step.context !== 'plain';
		const rules = rulesOf(chosen, this.ids, parties.other, isAgent);
		const prepared = step.kind === 'run' ? await this.prepared(step) : undefined;
		const { known } = fixture;
		fixture.front.take();
		if (step.fault)
			fixture.customer.service.fault({ kind: step.fault, to: `/api/companies/${parties.other}`, times: 2 });
		const { said, must } = await this.done(step, prepared);
		fixture.customer.service.clearFaults();
		fixture.customer.service.setOptions({ maxPageSize: Infinity });

		const arrived = fixture.front.take();
		const { belongings } = fixture;
		const given = JSON.stringify([parties, fixture.store.data]);
		const wrong = judged({ arrived, said }, rules, isAgent, { known, belongings, given });
		if (rules.companies) {
			if (said.texts.some((text) => text.includes(`-of-${parties.other}`)))
				wrong.push('it tells what the other company began');
			for (const { companyCount } of said.items)
				if (step.kind === 'run' && Number(companyCount) > rules.companies.size && this.isTotal(step))
					wrong.push(`it counts ${String(companyCount)} companies`);
		}
		fixture.note(rules, said.error !== undefined, arrived.length);
		// What goes wrong at the service may come first.
		if (!step.fault) wrong.push(...errorsOf(rules, must, said.error));
		return [...new Set(wrong)].map((each) => `${this.told(step)}: ${each}`);
	}

	/** The world anew, but for what the companies call themselves, and what they began since the first poll. */
	private begin({ kind }: Step): void {
		const { service, state } = this.fixture.customer;
		const { parties } = this;
		service.reset();
		if (kind === 'poll') this.begun.push(new Date(Date.now() - 1000).toISOString());
		for (const company of [parties.own, parties.other]) this.beginAnew(state.of(company), company);
		if (this.history.names === undefined) return;
		const [own, other] = namesOf(this.history.names, parties);
		for (const company of state.companies) {
			if (company.companyResourceId === parties.own) company.companyName = own;
			if (company.companyResourceId === parties.other) company.companyName = other;
		}
	}

	/** A campaign of each simulator and an enrollment for each poll, so that a trigger has news of both companies. */
	private beginAnew(holdings: Holdings, company: string): void {
		for (const [index, createTime] of this.begun.entries()) {
			const added = { createTime, resourceId: newsOf(index, company) };
			for (const list of [holdings.enrollments, ...SIMULATORS.map((simulator) => holdings.campaigns(simulator))]) {
				const [like] = list;
				if (like) Object.assign(list, { [list.length]: { ...like, ...added } });
			}
		}
	}

	private isTotal({ which }: { which: number }): boolean {
		return CASES[which % CASES.length]?.operation === 'getTotalActiveUsers';
	}

	private told(step: Step): string {
		if (step.kind !== 'run') return JSON.stringify(step);
		const { node, operation } = CASES[step.which % CASES.length] ?? {};
		return `${node}: ${operation}, ${step.as}, ${step.context}, ${step.form}${step.two ? ', two items' : ''}`;
	}

	private async prepared({ which, context }: Step & { kind: 'run' }): Promise<{ own: Run; other: Run } | undefined> {
		const found = CASES[which % CASES.length];
		const { customer } = this.fixture;
		const asTool = context === 'sign' || context === 'both';
		return (
			found && {
				// Both make something, under the same name, so each has the world to itself.
				other: await found.prepare(customer.of(this.other), asTool),
				own: await found.prepare(customer.of(this.own), asTool),
			}
		);
	}

	/** Does what the step says. @returns also when it must work */
	private async done(step: Step, prepared: { own: Run; other: Run } | undefined) {
		const { fixture, parties } = this;
		const { customer } = fixture;
		if (step.kind === 'run') {
			const found = CASES[step.which % CASES.length];
			if (!found || !prepared) throw new Error('There is no such case');
			const [own, other] = [checkable(prepared.own.parameters), prepared.other.parameters];
			const fields = fixture.fields(found);
			const parameters = attacked(step.as === 'own' ? own : other, other, fields, parties, step.attacks);
			const { context, form, continues } = step;
			const before = step.two && context === 'plain' && form === 'item' && step.attacks.length > 0 ? own : undefined;
			const said = await run(fixture, {
				...found,
				parameters,
				before,
				files: prepared.own.files,
				context,
				form,
				continues,
			});
			const isHonest = step.attacks.length === 0;
			const deletes = context !== 'plain' && fixture.takesAway(found);
			const isScoped = own.companyScope === 'one' || (found.node === 'Company' && found.operation === 'get');
			const must: Must = {
				...{ work: isHonest && !deletes, limited: isScoped && step.as === 'own', readOnly: fixture.isRead(found) },
				fail: isHonest && isScoped && step.as === 'other',
			};
			return { said, must };
		}
		const scoped = related(step.scope, parties);
		const isHonest = step.attacks.length === 0;
		const works = isHonest && (step.scope === 'own' || step.scope === 'other');
		if (step.kind === 'pick') {
			// Short pages, so that there is somewhere to go on from.
			const turns = this.history.steps.some((each) => each.kind === 'pick' && each.goesOn);
			customer.service.setOptions({ maxPageSize: turns ? 4 : Infinity });
			const { methods } = fixture;
			const method = methods[step.which % methods.length];
			if (!method) throw new Error('There is no such list');
			const entry = PICKERS.find((each) => each.node === method.node && each.method === method.method);
			const fields = entry?.fields?.(customer.of(step.scope === 'own' ? this.own : this.other)) ?? {};
			const parameters = attacked({ ...scoped, ...fields }, { ...scoped, ...fields }, [], parties, step.attacks);
			const { token, ...said } = await pick(
				fixture,
				method,
				parameters,
				step.filter ? 'a' : undefined,
				this.token(step),
			);
			this.tokens.set(method.method, token);
			const isListed = works && entry?.route !== undefined && !step.goesOn;
			const must: Must = {
				work: isListed,
				limited: step.scope === 'own',
				readOnly: true,
				fail: isListed && step.scope === 'other',
			};
			return { said, must };
		}
		const index = step.which % fixture.triggers.length;
		const trigger = fixture.triggers[index];
		if (!trigger) throw new Error('There is no such trigger');
		const { isManual, isStatus, details } = step;
		const form: IDataObject = {
			...{ ...scoped, triggerOn: isStatus ? 'statusChanged' : 'new' },
			options: { includeDetails: details, emitExistingSince: '2020-01-01T00:00:00' },
		};
		const parameters = attacked(form, { ...form, ...related('other', parties) }, [], parties, step.attacks);
		const polled = await poll(fixture, { trigger, parameters, isManual, staticData: this.memories.get(index) ?? {} });
		this.memories.set(index, polled.staticData);
		const isAllowed = step.scope === 'own' || step.scope === 'every';
		const work = works || (isHonest && step.scope === 'every');
		const must: Must = { work, limited: isAllowed, readOnly: true, fail: isHonest && step.scope === 'other' };
		return { said: polled, must };
	}

	/** Where a list goes on that was opened before, perhaps for another company or while everything was allowed. */
	private token(step: Step & { kind: 'pick' }): string | undefined {
		const { methods } = this.fixture;
		return step.goesOn ? this.tokens.get(methods[step.which % methods.length]?.method ?? '') : undefined;
	}
}
