import { isEqual, omit } from 'lodash';
import { NodeApiError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { readBinary, type RunResult } from '../n8n-core';
import { pageOf, TOKEN } from '../n8n-core/nodeFixture';
import { type LoggedRequest } from '../stand-in';
import { type Customer, type Right } from './doings';
import { COMPANIES, expected, type Cell, type Expected } from './cells';
const some = z.unknown();
const errorShape = z
	.object({
		message: some,
		description: z.string().optional(),
		httpCode: some,
		companyResourceId: some,
		companyName: some,
	})
	.partial()
	.catch({});

/** What a cell came to, held against what it must come to. */
export class Judgement {
	readonly complaints: string[] = [];
	private readonly wanted: Expected;
	private readonly isEvery: boolean;
	/** Whether the run ends at the first failure. */
	private readonly ends: boolean;

	constructor(
		private readonly cell: Cell,
		private readonly whom: Customer[],
		private readonly victim: Customer,
		private readonly items: INodeExecutionData[],
	) {
		this.wanted = expected(cell);
		this.isEvery = cell.spread === 'every company';
		// Every company is processed in any case.
		this.ends = cell.mode === 'stop' && !this.wanted.works && !this.isEvery;
	}

	private same(what: string, is: unknown, must: unknown): void {
		if (!isEqual(is, must)) this.complaints.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(must)}`);
	}

	private holds(what: string, is: boolean): void {
		if (!is) this.complaints.push(what);
	}

	/** What the service was asked. */
	requests(log: readonly LoggedRequest[]): void {
		const { fault, doing } = this.cell;
		const { works, asked } = this.wanted;
		const of = ({ id }: Customer) => log.filter(({ route, companyId }) => route === doing.key && companyId === id);
		const ofPage = (requests: LoggedRequest[]) =>
			requests.filter((request) => doing.page === undefined || pageOf(request) === doing.page);
		const met = ofPage(of(this.victim));
		this.same(
			'what the service did with the request, each time',
			met.map((request) => request.fault ?? 'answered'),
			[...Array<string>(works ? asked - 1 : asked).fill(fault.rule.kind), ...(works ? ['answered'] : [])],
		);
		for (const [index, customer] of this.whom.entries()) {
			const isVictim = customer === this.victim;
			const rest = isVictim ? of(customer).filter((request) => !met.includes(request)) : of(customer);
			const pages = rest
				.filter(({ status }) => status < 300)
				.map((request) => (doing.page === undefined ? 1 : pageOf(request)));
			this.same(
				`what was asked twice for '${customer.name}'`,
				pages.filter((page, at) => pages.indexOf(page) !== at),
				[],
			);
			// A token that is refused is refused to all who have it.
			if (!fault.ofToken) this.same(`what else was refused for '${customer.name}'`, rest.length - pages.length, 0);
			const mayLack = isVictim || this.ends;
			if (!isVictim && !mayLack) this.holds(`'${customer.name}' had no turn`, pages.length > 0);
			if (this.ends && doing.access === 'write' && !isVictim)
				this.same(
					`requests for item ${index}, where item ${this.whom.indexOf(this.victim)} ended the run`,
					rest.length,
					index < this.whom.indexOf(this.victim) ? 1 : 0,
				);
		}
		const tokens = log.filter(({ route }) => route === TOKEN).length;
		this.same('token requests', tokens, fault.ofToken ? 1 : 0);
		this.same(
			'readings of the list of companies',
			log.filter(({ route }) => route === COMPANIES).length,
			this.isEvery ? 1 : 0,
		);
		const known = [doing.key, TOKEN, COMPANIES];
		this.same(
			'other requests',
			log.filter(({ route }) => !known.includes(route)).map(({ route }) => route),
			[],
		);
	}

	/**
	 * How long the pause before the repeated request was: as long as the service asked for, or else none, because the
	 * test makes the random part 0.
	 */
	slept(ms: number): void {
		const { asked } = this.wanted;
		this.same('slept, in ms', ms, (asked - 1) * (this.cell.fault.waitMs ?? 0));
	}

	/** What the service holds afterwards. */
	world(effects: (customer: string) => number): void {
		for (const [index, customer] of this.whom.entries()) {
			const isAfter = this.ends && index > this.whom.indexOf(this.victim);
			const must =
				this.cell.doing.access === 'read' || isAfter ? 0 : customer === this.victim ? this.wanted.effects : 1;
			this.same(`carried out for '${customer.name}'`, effects(customer.id), must);
		}
	}

	/** A run that ended with an error. */
	thrown(error: unknown): void {
		const { mode } = this.cell;
		if (!(error instanceof NodeApiError) || mode !== 'stop' || this.wanted.works) {
			this.complaints.push(`ended with ${String(error)}`);
			return;
		}
		if (!this.isEvery) {
			this.told({
				message: error.message,
				description: error.description,
				httpCode: error.httpCode === null ? undefined : Number(error.httpCode),
			});
			return;
		}
		const { purpose } = this.cell.doing;
		const others = this.whom.filter((customer) => customer !== this.victim);
		this.same(
			'the message',
			error.message,
			this.message().replace(`Could not ${purpose} for '${this.victim.name}': `, `Could not ${purpose}: `) +
				` for 1 of ${this.whom.length} companies: ${this.victim.name}`,
		);
		const description = error.description ?? '';
		this.holds(
			`the description does not say how to put it right: ${description}`,
			description.includes(this.cell.fault.remedy),
		);
		this.holds(
			`the description does not say for whom it worked: ${description}`,
			description.includes(`It worked for ${others.length}: ${others.map(({ name }) => name).join(', ')}.`),
		);
	}

	/** What came out of a run that did not end with an error. */
	async output({ items, errors }: RunResult, right: (customer: string) => Promise<Right>): Promise<void> {
		const { works } = this.wanted;
		const { mode } = this.cell;
		if (mode === 'stop' && !works) {
			this.complaints.push('it did not end with an error');
			return;
		}
		const left = [...items];
		for (const [index, customer] of this.whom.entries()) {
			const pairedItem = { item: this.isEvery ? 0 : index };
			const failed = customer === this.victim && !works;
			if (failed) {
				const item = mode === 'continue' ? left.shift() : errors?.[0];
				this.same('what the error belongs to', item?.pairedItem, pairedItem);
				this.same('the files of what failed', item?.binary, undefined);
				this.failedItem(item?.json ?? {}, customer);
				continue;
			}
			const { json, file } = await right(customer.id);
			const stamp = this.stampOf(customer);
			const own = left.splice(0, json.length);
			this.same(
				`what came out for '${customer.name}'`,
				own.map((item) => this.plain(item)),
				json.map((each) => ({ ...stamp, ...each })),
			);
			this.same(
				`what it is paired with`,
				own.map((item) => item.pairedItem),
				json.map(() => pairedItem),
			);
			if (file)
				this.holds(
					`the file for '${customer.name}' is another one`,
					file.equals(await readBinary(own[0]).catch(() => Buffer.alloc(0))),
				);
		}
		this.same(
			'items besides',
			left.map(({ json }) => json),
			[],
		);
		this.same('items on the error output', (errors ?? []).length, mode === 'error output' && !works ? 1 : 0);
	}

	/** How a file is called is tested elsewhere. */
	private plain({ json }: INodeExecutionData): IDataObject {
		return this.cell.doing.answer === 'file' ? omit(json, 'fileName') : json;
	}

	/** The company that an item is of; one that was given by its ID has no name. */
	private stampOf({ id, name }: Customer): IDataObject {
		return { companyResourceId: id, ...(this.isEvery ? { companyName: name } : {}) };
	}

	private failedItem(json: IDataObject, { id, name }: Customer): void {
		const isSorted = this.cell.mode === 'error output';
		const error = errorShape.parse(json.error);
		this.told({ message: String(json.message), description: error.description, httpCode: error.httpCode });
		this.same("the error's own message", error.message, json.message);
		this.same('whom it names', [error.companyResourceId, error.companyName], [id, this.isEvery ? name : '']);
		const stamp = isSorted ? {} : this.stampOf({ id, name });
		// n8n's error output adds what came in.
		const came = isSorted ? this.items[this.isEvery ? 0 : this.whom.indexOf(this.victim)]?.json : {};
		this.same('the fields beside the error', omit(json, 'error', 'message'), { ...came, ...stamp });
	}

	private message(): string {
		const { fault, doing, spread } = this.cell;
		const whom = this.isEvery ? this.victim.name : this.victim.id;
		const at = spread === 'many items' ? ` [item ${this.whom.indexOf(this.victim)}]` : '';
		return `Could not ${doing.purpose} for '${whom}': ${fault.happened}${at}`;
	}

	/** What a person reads. */
	private told({
		message,
		description,
		httpCode,
	}: {
		message: string;
		description: string | null | undefined;
		httpCode: unknown;
	}): void {
		const { fault } = this.cell;
		const { asked, inDoubt } = this.wanted;
		const advice = description ?? '';
		this.same('the message', message, this.message());
		this.same('the status', httpCode, fault.status);
		this.holds(`the description does not say how to put it right: ${advice}`, advice.includes(fault.remedy));
		if (fault.said)
			this.holds(
				`the description keeps back what the service says: ${advice}`,
				advice.startsWith(`The service says: ${fault.said}`),
			);
		this.same(
			'whether it warns that it may have been carried out',
			advice.includes('check there before you run it again'),
			inDoubt,
		);
		this.same(
			'whether it says how often it was tried',
			/It was tried (\d) times\./.exec(advice)?.[1] ?? '1',
			String(asked > 1 && !this.wanted.works && fault.passes ? asked : 1),
		);
	}
}
