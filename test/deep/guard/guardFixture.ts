/** A service with a front that keeps what arrives, and a credential whose settings change from step to step. */
import type { INodeType } from 'n8n-workflow';
import { cases, CustomerFixture, type Case } from '../../cases';
import { OperationFixture } from '../../cases/operationFixture';
import { keysOf } from '../../contract/catalogue';
import { isRead } from '../../contract/keys';
import { CredentialStore, loadNode } from '../../n8n-core';
import { manifest } from '../../n8n-core/package';
import { asCredentialData } from '../../n8n-core/shapes';
import type { PersonalityName } from '../../stand-in';
import type { Company } from '../../stand-in/seed';
import { the } from '../../cases/case';
import { fieldsIn, type Field } from './fields';
import { Front } from './front';
import type { Known } from './judge';
import { belongingsOf, type Belongings } from './leaks';
import { fieldsOf, type Rules, type Settings } from './settings';

/** A list that a person chooses from. */
export interface Method {
	node: string;
	method: string;
	/** Whether it is a list without a search. */
	isOptions: boolean;
}

/** How the other company is related to one's own. */
export const RELATIONS = ['child', 'parent', 'sibling', 'any', 'reseller'] as const;
export type Relation = (typeof RELATIONS)[number];

/** What is shared by all histories with one personality of the service. */
export class GuardFixture {
	private readonly forms = new Map<string, Field[]>();
	private readonly operations: OperationFixture;

	private constructor(
		readonly customer: CustomerFixture,
		readonly front: Front,
		readonly belongings: Belongings,
		readonly triggers: INodeType[],
		operations: OperationFixture,
	) {
		this.operations = operations;
		this.store = new CredentialStore({});
	}

	readonly store: CredentialStore;

	static async open(personality: PersonalityName): Promise<GuardFixture> {
		const customer = await CustomerFixture.start({ personality, companies: 40 });
		const operations = new OperationFixture();
		await operations.loadNodes();
		const triggers = manifest.n8n.nodes.filter((listed) => listed.endsWith('Trigger.node.js'));
		return new GuardFixture(
			customer,
			await Front.before(customer.service.url),
			belongingsOf(customer.state),
			await Promise.all(triggers.map(async (listed) => await loadNode(listed))),
			operations,
		);
	}

	async close(): Promise<void> {
		this.front.close();
		await this.customer.service.close();
	}

	node(folder: string): INodeType {
		return this.operations.node(folder);
	}

	/** All lists of all nodes. */
	get methods(): Method[] {
		return this.operations.folders.flatMap((node): Method[] => {
			const { listSearch = {}, loadOptions = {} } = this.node(node).methods ?? {};
			return [
				...Object.keys(listSearch).map((method) => ({ node, method, isOptions: false })),
				...Object.keys(loadOptions).map((method) => ({ node, method, isOptions: true })),
			];
		});
	}

	/** The fields of an operation's form. */
	fields({ node, operation }: Pick<Case, 'node' | 'operation'>): Field[] {
		const key = `${node} ${operation}`;
		const there = this.forms.get(key) ?? fieldsIn(this.node(node).description.properties, operation);
		this.forms.set(key, there);
		return there;
	}

	/** The requests that an operation is made of, by the contract. */
	keys({ node, operation }: Pick<Case, 'node' | 'operation'>): string[] {
		return keysOf(this.operations.operation(node, operation));
	}

	/** Whether an operation changes nothing. */
	isRead(which: Pick<Case, 'node' | 'operation'>): boolean {
		return this.keys(which).every((key) => isRead(key));
	}

	/** Whether an operation takes something away for ever: what no agent may do, whatever the credential says. */
	takesAway(which: Pick<Case, 'node' | 'operation'>): boolean {
		return this.keys(which).some((key) => key.startsWith('DELETE ') || key.endsWith('/revoke'));
	}

	/** The data of the credential from now on; its token stays. */
	use(settings: Settings, ids: string[], other: string): void {
		const { serverUrl: _, ...credential } = this.customer.credential();
		const { oauthTokenData } = this.store.data;
		this.store.data = asCredentialData({
			...{ ...credential, serverUrl: this.front.url },
			...(oauthTokenData === undefined ? {} : { oauthTokenData }),
			...fieldsOf(settings, ids, other),
		});
	}

	/** How many steps were limited in some way, how many of them were refused, and how many requests came of the others. */
	readonly count = { limited: 0, refused: 0, requests: 0 };

	/** Counts a step. @param requests how many arrived */
	note({ companies, nothing, writes }: Rules, isRefused: boolean, requests: number): void {
		if (!companies && !nothing && writes) return;
		this.count.limited++;
		this.count.requests += requests;
		if (isRefused) this.count.refused++;
	}

	/** A company, and one that is related to it so, or any other. */
	parties(own: number, relation: Relation, any: number): { own: Company; other: Company } {
		const { companies, reseller } = this.customer.state;
		// Every second one is a company with others below it, or one below another.
		const parents = companies.filter(({ children }) => children.length > 0);
		const family = [...parents, ...parents.flatMap(({ children }) => children)];
		const pool = own % 2 === 0 ? family : companies;
		const company = the(pool[Math.floor(own / 2) % pool.length]);
		const parent = companies.find(({ children }) => children.includes(company));
		const related = {
			child: company.children[any % Math.max(1, company.children.length)],
			parent,
			sibling: (parent?.children ?? []).filter((each) => each !== company)[0],
			reseller,
			any: undefined,
		}[relation];
		const others = companies.filter((each) => each !== company);
		return { own: company, other: related ?? the(others[any % others.length]) };
	}

	/** What a judge knows now. */
	get known(): Known {
		const { groups } = this.customer.state;
		const members = new Map(
			groups.map(({ resourceId, companyResourceIdArray }) => [resourceId, [...companyResourceIdArray]]),
		);
		return {
			header: this.customer.names.scopeHeader,
			membersOf: (group) => members.get(group) ?? [],
		};
	}
}

/** The cases, each with its place in the list. */
export const CASES: readonly Case[] = cases;
