import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { startStandIn, type ProfileName, type StandInOptions, type StandIn, type World } from '../stand-in';
import { ApiClient } from '../stand-in/apiClient';
import { getProfile, type PlatformProfile } from '../stand-in/profile';
import { listRoutes } from '../stand-in/routes';
import type { Company } from '../stand-in/seed';

const pageSchema = z.object({ results: z.array(z.record(z.unknown())) });
/** The schema of the list in the response to a GET request. On live deployments, the list can be inside an object. */
const listSchema = z.union([
	z.array(z.record(z.unknown())),
	z.object({ fields: z.array(z.record(z.unknown())) }).transform(({ fields }) => fields),
]);

/** The body of a search for all records. */
const SEARCH_ALL_BODY = {
	pageNumber: 1,
	pageSize: 10_000,
	orderBy: '',
	ascending: true,
	filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
};

/** The searches of live deployments: a pattern of the key, and the names that the list can be sorted by. */
const SORTABLE_SEARCHES = listRoutes(getProfile('deployed')).flatMap(({ key, sortNames }) =>
	sortNames ? [{ keyPattern: new RegExp(`^${key.replace(/\{\w+\}/g, '[^/]+')}$`), sortNames }] : [],
);

/**
 * Builds the body of a search for all records that live deployments accept: with a valid sort name and two empty filter
 * groups.
 * @param searchKey the key of the search, with its path filled in
 */
export function buildStrictSearchBody(searchKey: string) {
	const [orderBy = ''] = SORTABLE_SEARCHES.find(({ keyPattern }) => keyPattern.test(searchKey))?.sortNames ?? [];
	const emptyGroups = ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] }));
	return { ...SEARCH_ALL_BODY, orderBy, filter: { ...SEARCH_ALL_BODY.filter, FilterGroups: emptyGroups } };
}

/** Builds the value of a resource locator in the mode "By ID". */
export function toIdLocator(value: string) {
	return { __rl: true, mode: 'id', value };
}

/** Builds the value of a resource locator whose entry the user selected from the list. */
export function toListLocator(value: string, cachedResultName: string) {
	return { __rl: true, mode: 'list', value, cachedResultName };
}

/**
 * A stand-in and one of its customers, without n8n. It creates the data that operations need, and fetches the expected
 * results.
 */
export class CustomerFixture {
	private constructor(
		readonly standIn: StandIn,
		/** The profile of the stand-in. */
		readonly profile: PlatformProfile,
		readonly resellerClient: ApiClient,
		private readonly chosenCompany?: Company,
	) {}

	/** Starts a stand-in for this fixture. */
	static async start(options: StandInOptions = {}): Promise<CustomerFixture> {
		return await CustomerFixture.connect(await startStandIn(options), options.profile);
	}

	/**
	 * Connects to a running stand-in.
	 * @param profileName the profile that it was started with
	 */
	static async connect(standIn: StandIn, profileName: ProfileName = 'contract'): Promise<CustomerFixture> {
		const profile = getProfile(profileName);
		const { companyHeader, secondCompanyHeader } = profile;
		const { reseller } = standIn.clients;
		const resellerClient = new ApiClient(standIn, reseller, undefined, companyHeader, secondCompanyHeader);
		return new CustomerFixture(standIn, profile, await resellerClient.signIn());
	}

	/** Returns a fixture for the same stand-in with another company as the customer. */
	switchToCompany(company: Company): CustomerFixture {
		return new CustomerFixture(this.standIn, this.profile, this.resellerClient, company);
	}

	/** The current data of the stand-in. */
	get world(): World {
		return this.standIn.world;
	}

	/** True if the stand-in behaves like a live deployment. */
	get isDeployed(): boolean {
		return this.profile.name === 'deployed';
	}

	/**
	 * The customer of this fixture. By default, it is not the first company, because that one belongs to the Company
	 * Admin.
	 */
	get company(): Company {
		if (this.chosenCompany) return this.chosenCompany;
		const company = this.world.companies.find(({ companyName }) => companyName === 'Harbour Bakery');
		if (!company) throw new Error('The stand-in has too few companies: at least 40 are needed');
		return company;
	}

	get companyId(): string {
		return this.company.companyResourceId;
	}

	/** The records of the customer. */
	get companyData() {
		return this.world.getCompanyData(this.companyId);
	}

	/** The node parameters that select the customer as the company. */
	get companyParameters(): IDataObject {
		const { companyResourceId: value, companyName: cachedResultName } = this.company;
		return { companyScope: 'one', company: { __rl: true, mode: 'list', value, cachedResultName } };
	}

	/** Returns the data of a credential, as a user would enter it. */
	buildCredentialData(clientName: keyof StandIn['clients'] = 'reseller'): {
		serverUrl: string;
		clientId: string;
		clientSecret: string;
		companyHeaderName: string;
	} {
		const { clientId, clientSecret } = this.standIn.clients[clientName];
		return { serverUrl: this.standIn.url, clientId, clientSecret, companyHeaderName: this.profile.companyHeader };
	}

	/** The reseller's API client, acting for the customer. */
	get client(): ApiClient {
		return this.resellerClient.scopeToCompany(this.companyId);
	}

	/**
	 * Sends a request for the customer, which must succeed.
	 * @param key the method and the path without placeholders, such as "GET /api/roles"
	 * @returns the data of the response
	 */
	async fetchData(key: string, body?: object): Promise<unknown> {
		return await this.client.fetchData(key, body);
	}

	/** Sends a request for the customer, and returns one text field of the response. */
	async fetchText(field: string, key: string, body?: object): Promise<string> {
		return z
			.object({ [field]: z.string() })
			.transform((data) => data[field] ?? '')
			.parse(await this.fetchData(key, body));
	}

	/**
	 * Fetches all records of a list for the customer.
	 * @param searchKey the key of a search, or of a GET request that returns a list
	 */
	async fetchList(searchKey: string, body: object = {}): Promise<Array<Record<string, unknown>>> {
		if (searchKey.startsWith('GET ')) return listSchema.parse(await this.fetchData(searchKey));
		const searchBody = this.isDeployed ? buildStrictSearchBody(searchKey) : SEARCH_ALL_BODY;
		const data = await this.fetchData(searchKey, { ...searchBody, ...body });
		return Array.isArray(data) ? z.array(z.record(z.unknown())).parse(data) : pageSchema.parse(data).results;
	}
}
