import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { startStandIn, type ProfileName, type StandInOptions, type StandIn, type World } from '../stand-in';
import { ApiClient } from '../stand-in/apiClient';
import { getProfile, type PlatformProfile } from '../stand-in/personality';
import { listRoutes } from '../stand-in/routes';
import type { Company } from '../stand-in/seed';

const page = z.object({ results: z.array(z.record(z.unknown())) });
/** What a GET lists, bare or, as a live deployment has it, in an object. */
const listed = z.union([
	z.array(z.record(z.unknown())),
	z.object({ fields: z.array(z.record(z.unknown())) }).transform(({ fields }) => fields),
]);

/** A search body that asks for everything. */
const EVERYTHING = {
	pageNumber: 1,
	pageSize: 10_000,
	orderBy: '',
	ascending: true,
	filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
};

/** The searches of a live deployment, each with the names that it can be sorted by. */
const SEARCHES = listRoutes(getProfile('deployed')).flatMap(({ key, sortNames: sorts }) =>
	sorts ? [{ path: new RegExp(`^${key.replace(/\{\w+\}/g, '[^/]+')}$`), sorts }] : [],
);

/** The body of a search for everything, as a live deployment takes it: sorted by a name that the search knows, and with two empty groups. */
export function buildStrictSearchBody(search: string) {
	const [orderBy = ''] = SEARCHES.find(({ path }) => path.test(search))?.sorts ?? [];
	const groups = ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] }));
	return { ...EVERYTHING, orderBy, filter: { ...EVERYTHING.filter, FilterGroups: groups } };
}

/** A resource locator's value in the mode "By ID". */
export const toIdLocator = (value: string) => ({ __rl: true, mode: 'id', value });

/**
 * The stand-in service and one of its customers, without n8n: creates what an operation needs, and knows the expected
 * answers.
 */
export class CustomerFixture {
	private constructor(
		readonly standIn: StandIn,
		/** The names that this service uses where the contract leaves them open. */
		readonly profile: PlatformProfile,
		readonly resellerClient: ApiClient,
		private readonly chosenCompany?: Company,
	) {}

	/** Starts a service of its own. */
	static async start(options: StandInOptions = {}): Promise<CustomerFixture> {
		return await CustomerFixture.connect(await startStandIn(options), options.profile);
	}

	/** Uses a service that runs already. @param name the personality that it was started with */
	static async connect(standIn: StandIn, name: ProfileName = 'contract'): Promise<CustomerFixture> {
		const profile = getProfile(name);
		const { companyHeader: scopeHeader, secondCompanyHeader: secondHeader } = profile;
		const resellerClient = new ApiClient(standIn, standIn.clients.reseller, undefined, scopeHeader, secondHeader);
		return new CustomerFixture(standIn, profile, await resellerClient.signIn());
	}

	/** The same service, with another of its companies as the customer. */
	switchToCompany(company: Company): CustomerFixture {
		return new CustomerFixture(this.standIn, this.profile, this.resellerClient, company);
	}

	get state(): World {
		return this.standIn.state;
	}

	/** Whether the service acts as a live deployment tells of itself. */
	get isDeployed(): boolean {
		return this.profile.name === 'deployed';
	}

	/** The customer that the cases use, unless another was chosen: neither the first one nor the Company Admin's. */
	get company(): Company {
		if (this.chosenCompany) return this.chosenCompany;
		const company = this.state.companies.find(({ companyName }) => companyName === 'Harbour Bakery');
		if (!company) throw new Error('The stand-in service has too few companies: it takes 40');
		return company;
	}

	get companyId(): string {
		return this.company.companyResourceId;
	}

	get companyData() {
		return this.state.getCompanyData(this.companyId);
	}

	/** The fields of a node that act for the customer. */
	get companyParameters(): IDataObject {
		const { companyResourceId: value, companyName: cachedResultName } = this.company;
		return { companyScope: 'one', company: { __rl: true, mode: 'list', value, cachedResultName } };
	}

	/** The credential's data as a person would fill it in. */
	buildCredentialData(who: keyof StandIn['clients'] = 'reseller'): {
		serverUrl: string;
		clientId: string;
		clientSecret: string;
		companyHeaderName: string;
	} {
		const { clientId, clientSecret } = this.standIn.clients[who];
		return { serverUrl: this.standIn.url, clientId, clientSecret, companyHeaderName: this.profile.companyHeader };
	}

	/** The reseller, acting for the customer. */
	get client(): ApiClient {
		return this.resellerClient.scopeToCompany(this.companyId);
	}

	/** Asks for the customer. @param key method and path, filled in: "GET /api/roles" @returns the answer's data */
	async fetchData(key: string, body?: object): Promise<unknown> {
		return await this.client.fetchData(key, body);
	}

	/** The same for an answer of which only one text matters. */
	async fetchText(field: string, key: string, body?: object): Promise<string> {
		return z
			.object({ [field]: z.string() })
			.transform((data) => data[field] ?? '')
			.parse(await this.fetchData(key, body));
	}

	/** Everything that a list of the service has for the customer. @param search key of a search, or of a GET that lists */
	async fetchList(search: string, body: object = {}): Promise<Array<Record<string, unknown>>> {
		if (search.startsWith('GET ')) return listed.parse(await this.fetchData(search));
		const data = await this.fetchData(search, { ...(this.isDeployed ? buildStrictSearchBody(search) : EVERYTHING), ...body });
		return Array.isArray(data) ? z.array(z.record(z.unknown())).parse(data) : page.parse(data).results;
	}
}
