import { CustomerFixture } from '../cases';
import { PollingFixture, type List } from '../polling/pollingFixture';
import { between, pick } from '../stand-in/random';
import { TIMEOUT } from './faults';
import { shown, Workload, type Ways } from './workload';

/** Two triggers, polled all the time while records are created. */
export class Triggers extends Workload {
	private readonly fixture: PollingFixture;
	private readonly created: Record<Kind, Set<string>> = { campaign: new Set(), enrollment: new Set() };
	private readonly emitted: Record<Kind, Map<string, number>> = { campaign: new Map(), enrollment: new Map() };
	private polls = 0;

	private constructor(ways: Ways, customer: CustomerFixture) {
		super('triggers', ways, customer);
		this.fixture = new PollingFixture(customer.service);
	}

	static async start(ways: Ways): Promise<Triggers> {
		const made = new Triggers(ways, await CustomerFixture.start({ companies: 40 }));
		made.fixture.clear();
		for (const kind of KINDS) await made.poll(kind, 0);
		return made;
	}

	async round(): Promise<void> {
		this.fixture.pass(between(this.next, 1, 60_000));
		for (const kind of KINDS) {
			for (let left = between(this.next, 0, 3); left > 0; left--) {
				const late = this.next() < 0.25 ? between(this.next, 1, 12 * 3_600_000) : 0;
				const list: List = kind === 'enrollment' ? 'enrollment' : pick(this.next, ['phishing', 'smishing', 'quishing']);
				this.created[kind].add(this.fixture.create(list, between(this.next, 0, 39), late));
			}
			await this.poll(kind, 100);
		}
		// One poll a second and trigger is more than n8n allows, but leaves the machine to the others.
		await new Promise((resolve) => setTimeout(resolve, 1000));
	}

	private async poll(kind: Kind, faulty: number): Promise<void> {
		this.service.clearLog();
		this.arm(faulty);
		const parameters = {
			companyScope: 'every',
			...(kind === 'campaign' ? { simulators: ['phishing', 'smishing', 'quishing'] } : {}),
			options: { timeout: TIMEOUT },
		};
		const report = await this.ways.remote.poll({
			access: this.access,
			trigger: kind === 'campaign' ? 'CampaignTrigger' : 'EnrollmentTrigger',
			parameters,
			restart: faulty > 0 && this.next() < 0.05,
		});
		this.tally.polls++;
		this.polls++;
		this.tally.count(this.service.log);
		if (report.failure) {
			this.tally.failures++;
			if (!this.service.log.some(({ fault }) => fault))
				this.blame('wrong', `a poll failed without a reason: ${report.failure.message}\n${shown(this.service.log)}`);
		}
		for (const { json } of report.items) {
			const id = String(json.resourceId);
			const before = this.emitted[kind].get(id) ?? 0;
			this.emitted[kind].set(id, before + 1);
			this.tally.emitted++;
			if (before > 0) this.blame('doubled', `${id} was emitted ${before + 1} times`);
			if (!this.created[kind].has(id)) this.blame('wrong', `${id} was emitted and never created`);
		}
	}

	override async finish(): Promise<void> {
		for (const kind of KINDS) {
			for (let round = 0; round < 3; round++) {
				this.fixture.pass(60_000);
				await this.poll(kind, 0);
			}
			for (const id of this.created[kind])
				if (!this.emitted[kind].has(id)) this.blame('lost', `${id} was created and never emitted`);
		}
	}
}

type Kind = 'campaign' | 'enrollment';
const KINDS: readonly Kind[] = ['campaign', 'enrollment'];
