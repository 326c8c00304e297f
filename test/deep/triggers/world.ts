import { DAY, HOUR, MINUTE } from './deployment';
import { EXISTING_AGE, SIMULATORS, STATUSES, type Setup, type Step } from './history';
import { isOpen, note, OWN, type ListName, type ModelCompany, type ModelRecord, type Platform } from './platform';
import { Random } from './random';

type CreateStep = Extract<Step, { do: 'create' }>;

/** What happens on the platform in a history, and what of it is in the lists that the trigger watches. */
export class World {
	private readonly random: Random;
	simulators: ListName[];
	/** When a list was watched first. */
	readonly listSince = new Map<ListName, number>();

	constructor(
		private readonly setup: Setup,
		readonly platform: Platform,
	) {
		this.random = new Random(setup.seed + 1);
		this.simulators = setup.watch === 'enrollments' ? ['enrollment'] : [...setup.simulators];
		this.populate();
	}

	private get clock() {
		return this.platform.clock;
	}

	/** What is there before the trigger is activated. */
	private populate(): void {
		const { setup, platform, random, clock } = this;
		for (let index = 0; index < setup.companies; index++) {
			const parent = index > 0 && random.chance(0.3) ? `company-${random.int(0, index - 1)}` : undefined;
			const suffix = random.chance(0.7) ? ' Ltd' : '';
			platform.addCompany({ name: `Customer ${index}${suffix}`, parent, created: clock.now() - 100 * HOUR });
		}
		for (const owner of platform.companies.keys()) {
			for (const list of this.lists()) {
				for (let index = 0; index < setup.existing; index++) {
					// Half of them are of the last days, where a window may reach back to.
					const age = random.chance(0.5)
						? random.int(EXISTING_AGE.from, 60 * HOUR)
						: random.int(EXISTING_AGE.from, EXISTING_AGE.to);
					const time = random.chance(0.04) ? random.pick(['none', 'sentinel', 'seconds', 'future'] as const) : 'usual';
					const created = clock.now() - age;
					const status = random.pick(STATUSES);
					platform.create({ list, owner, created, time, status, isSurvey: random.chance(0.3) });
				}
			}
		}
	}

	private lists(): ListName[] {
		return this.setup.watch === 'enrollments' ? ['enrollment'] : [...SIMULATORS];
	}

	private isWatched(company: ModelCompany): boolean {
		const { setup, platform } = this;
		if (!isOpen(company.managed)) return false;
		if (setup.scope === 'every') return company.name.includes(setup.nameContains);
		return company.id === OWN || (setup.deployment.parentsIncludeChildren && platform.isAbove(OWN, company.id));
	}

	/** Notes what is watched from now on, after something has changed. */
	refresh(): void {
		const at = this.clock.now();
		for (const company of this.platform.companies.values()) note(company.watched, this.isWatched(company), at);
		for (const list of this.simulators) if (!this.listSince.has(list)) this.listSince.set(list, at);
		for (const record of this.platform.records) {
			const company = this.platform.companies.get(record.owner);
			const isShown =
				isOpen(record.visible) &&
				!this.platform.isEmpty(record.list) &&
				this.simulators.includes(record.list) &&
				company !== undefined &&
				isOpen(company.watched) &&
				(!this.setup.surveysOnly || record.isSurvey);
			note(record.shown, isShown, at);
		}
	}

	private company(pick: number): ModelCompany {
		const all = [...this.platform.companies.values()];
		const company = all[pick % all.length];
		if (!company) throw new Error('There is no company');
		return company;
	}

	private record(pick: number): ModelRecord | undefined {
		const { records } = this.platform;
		// One of the youngest more often than not.
		const among = pick % 3 === 0 ? records : records.slice(-12);
		return among[pick % Math.max(1, among.length)];
	}

	private create(step: CreateStep): void {
		const { setup } = this;
		// Mostly what is watched.
		const lists = step.list % 8 === 0 ? this.lists() : this.simulators;
		const list = lists[step.list % lists.length] ?? 'enrollment';
		const owner = setup.scope === 'every' || step.company % 8 === 0 ? this.company(step.company).id : OWN;
		const status = STATUSES[step.status % STATUSES.length] ?? STATUSES[0];
		const created = this.clock.now() - step.lateMinutes * MINUTE;
		for (let index = 0; index < step.count; index++) {
			const isSurvey = this.random.chance(0.5);
			this.platform.create({ list, owner, created, time: step.time, status, isSurvey });
		}
	}

	healAll(): void {
		this.platform.fault = undefined;
		this.platform.companiesFault = undefined;
		this.platform.listFaults.clear();
		this.platform.headerError = { ms: 0, answers: 0 };
		for (const company of this.platform.companies.values()) delete company.fault;
	}

	happensDuring({ what, pick }: Extract<Step, { do: 'during' }>): void {
		const record = this.record(pick);
		if (what === 'hide' && record) this.platform.setVisible(record, false);
		if (what === 'create') {
			this.create({ do: 'create', list: pick, company: pick, count: 1, lateMinutes: 0, time: 'usual', status: pick });
		}
		this.refresh();
	}

	addCompany(records: number, ageHours: number): void {
		const { platform, clock } = this;
		const company = platform.addCompany({ name: `Customer ${platform.companies.size} Ltd` });
		for (const list of this.lists()) {
			for (let index = 0; index < records; index++) {
				// Some of them before, some after the activation.
				const created = clock.now() - (ageHours * HOUR * index) / records;
				platform.create({ list, owner: company.id, created, since: created, isSurvey: index % 2 === 0 });
			}
		}
	}

	/** Companies that cannot be read, or all. */
	failing(): Set<string> | 'all' {
		const { platform } = this;
		if (platform.fault || platform.companiesFault) return 'all';
		return new Set([...platform.companies.values()].filter(({ fault }) => fault).map(({ id }) => id));
	}

	/** Takes a step that is about the platform alone. */
	take(step: Step): void {
		const { platform } = this;
		switch (step.do) {
			case 'create':
				return this.create(step);
			case 'addCompany':
				return this.addCompany(step.records, step.ageHours);
			case 'dropCompany':
			case 'returnCompany':
				// The one company that is watched stays.
				if (this.setup.scope === 'every') platform.setManaged(this.company(step.company), step.do === 'returnCompany');
				return;
			case 'rename': {
				const company = this.company(step.company);
				company.name = company.name.includes('Ltd') ? company.name.replace(' Ltd', '') : `${company.name} Ltd`;
				return;
			}
			case 'fault':
				this.company(step.company).fault = step.fault;
				return;
			case 'heal':
				delete this.company(step.company).fault;
				return;
			case 'faultAll':
				platform.fault = step.fault;
				return;
			case 'faultCompanies':
				platform.companiesFault = step.fault;
				return;
			case 'faultList': {
				const list = this.simulators[step.list % this.simulators.length];
				if (list) platform.listFaults.set(list, step);
				return;
			}
			case 'healLists':
				return platform.listFaults.clear();
			case 'healAll':
				return this.healAll();
			case 'header':
				platform.headerError = { ms: step.days * DAY, answers: step.answers };
				return;
			case 'group':
			case 'hide':
			case 'show':
			case 'status':
			case 'move':
			case 'details':
				return this.takeOne(step, this.record(step.record));
			default:
				throw new Error(`${step.do} is not about the platform alone`);
		}
	}

	/** Takes a step that is about one record. */
	private takeOne(step: Extract<Step, { record: number }>, record: ModelRecord | undefined): void {
		const { platform } = this;
		if (!record) return;
		switch (step.do) {
			case 'group':
				platform.create({ list: record.list, owner: record.owner, id: record.id, group: platform.records.length + 2 });
				return;
			case 'hide':
			case 'show':
				return platform.setVisible(record, step.do === 'show');
			case 'status':
				return platform.setStatus(record, STATUSES[step.status % STATUSES.length] ?? STATUSES[0]);
			case 'move':
				if (this.setup.hasUniqueIds) platform.move(record, this.company(step.company).id);
				return;
			case 'details':
				record.detailsFail = step.fails;
		}
	}
}
