import { cloneDeep } from 'lodash';

import { getCompanyRoleId, CompanyData, getSharedRoleId, type ApiClientRecord, type UploadedFile } from './companyData';
import type { ProfileName } from './profile';
import { makeGuid, makeShortId, type IdFactory } from './random';
import {
	EPOCH,
	flattenCompanyTree,
	seedCatalogue,
	seedCompanies,
	seedCompany,
	seedGroups,
	type Company,
	type CompanyGroup,
	type Training,
} from './seed';

/** The data that every `World` starts with. It is seeded once, because resets are frequent and seeding is slow. */
export interface InitialData {
	/** The reseller's own company, which is not one of its customers. */
	resellerCompany: Company;
	/** A company of another reseller. */
	foreignCompany: Company;
	companyTree: Company[];
	/** The trainings that every company can use. */
	catalogue: Training[];
	companyGroups: CompanyGroup[];
	/** The time in milliseconds that seeded dates are relative to; undefined means a fixed day. */
	referenceTime?: number | undefined;
}

/** Returns the function that makes IDs in the format of a profile. */
function getIdFactory(profileName: ProfileName): IdFactory {
	return profileName === 'deployed' ? makeShortId : makeGuid;
}

/**
 * Seeds the data of a stand-in.
 * @param companyCount the number of companies, nested ones included
 * @param referenceTime the time in milliseconds that seeded dates are relative to; by default a fixed day
 */
export function createInitialData(companyCount: number, profileName: ProfileName, referenceTime?: number): InitialData {
	const makeId = getIdFactory(profileName);
	const resellerName = 'Northwind Reseller';
	const companyTree = seedCompanies(companyCount, resellerName, Date.now(), makeId, referenceTime);
	return {
		resellerCompany: seedCompany(makeId('the reseller'), resellerName, resellerName),
		foreignCompany: seedCompany(makeId('a foreign company'), 'Somebody Else Ltd', 'Another Reseller'),
		companyTree,
		catalogue: seedCatalogue(),
		companyGroups: seedGroups(flattenCompanyTree(companyTree), makeId),
		referenceTime,
	};
}

/** All data of the stand-in platform. A reset replaces it with a new `World`. */
export class World {
	readonly resellerCompany: Company;
	readonly foreignCompany: Company;
	readonly companyTree: Company[];
	readonly catalogue: Training[];
	/** The values from the creation form of each company that rows of companies do not contain, by company ID. */
	readonly companyDetails: Record<string, Record<string, unknown>> = {};
	readonly logos: Record<string, UploadedFile> = {};
	companyGroups: CompanyGroup[];
	/** Every API client that can sign in, the newest last. */
	readonly signInClients: ApiClientRecord[] = [];
	/**
	 * Values that requests have changed and for which the record's type has no field, such as `{ isPaused: true }`, by
	 * record ID.
	 */
	readonly notes = new Map<string, Record<string, unknown>>();
	/** The authorization codes of the agent chat. Each can be used once. */
	readonly agentCodes = new Map<string, { sessionId: string; isUsed: boolean }>();
	/** The valid username and password for the interactive sign-in. */
	readonly login = { username: 'admin@northwind-reseller.example', password: 'correct-horse-battery-staple' };
	/** Makes an ID from a key, in the format of the profile. */
	readonly makeId: IdFactory;
	/** Returns the ID of a company's role. */
	readonly getRoleId: typeof getCompanyRoleId;
	/** The time in milliseconds that seeded dates are relative to. */
	readonly referenceTime: number;
	readonly #seedReferenceTime: number | undefined;
	readonly #companyData = new Map<string, CompanyData>();
	#flatCompanies: Company[] | undefined;
	#companiesById: Map<string, Company> | undefined;
	#createdCount = 0;

	/** Copies the initial data, so that it stays unchanged for the next reset. */
	constructor(
		initialData: InitialData,
		readonly profileName: ProfileName,
	) {
		this.makeId = getIdFactory(profileName);
		this.#seedReferenceTime = initialData.referenceTime;
		this.referenceTime = initialData.referenceTime ?? EPOCH;
		this.getRoleId = profileName === 'deployed' ? getCompanyRoleId : (_company, name) => getSharedRoleId(name);
		const data = cloneDeep(initialData);
		this.resellerCompany = data.resellerCompany;
		this.foreignCompany = data.foreignCompany;
		this.companyTree = data.companyTree;
		this.catalogue = data.catalogue;
		this.companyGroups = data.companyGroups;
		this.#seedSignIn('reseller', 'Reseller', this.resellerCompany);
		this.#seedSignIn('company-admin', 'Company Admin', this.adminCompany);
		this.#seedSignIn('blocked', 'Reseller', this.resellerCompany, {
			hasIpAddressRestriction: true,
			allowedIpAddresses: ['203.0.113.0/24'],
		});
		this.#seedSignIn('limited', 'Reseller', this.resellerCompany, {
			missingPermissions: ['companies/search|POST', 'leaderboard/get-all/export|POST'],
		});
	}

	/** The company of the Company Admin credential. */
	get adminCompany(): Company {
		return this.companyTree[0] ?? this.resellerCompany;
	}

	/** All managed companies in list order; nested ones follow their parents. */
	get companies(): Company[] {
		return (this.#flatCompanies ??= flattenCompanyTree(this.companyTree));
	}

	get trainings(): Training[] {
		return [...this.catalogue, ...this.#collectRecords(({ trainings }) => trainings)];
	}

	get targetGroups() {
		return this.#collectRecords(({ targetGroups }) => targetGroups);
	}

	get enrollments() {
		return this.#collectRecords(({ enrollments }) => enrollments);
	}

	get clients() {
		return this.#collectRecords(({ clients }) => clients);
	}

	#collectRecords<T>(selectRecords: (companyData: CompanyData) => T[]): T[] {
		return [this.resellerCompany, ...this.companies].flatMap((company) => selectRecords(this.getCompanyData(company)));
	}

	/** Finds a managed company by its ID. */
	findCompany(id: string): Company | undefined {
		this.#companiesById ??= new Map(this.companies.map((company) => [company.companyResourceId, company]));
		return this.#companiesById.get(id);
	}

	/** Returns the data of one company. An unknown ID returns the data of the reseller's own company. */
	getCompanyData(companyOrId: Company | string): CompanyData {
		const company =
			typeof companyOrId === 'string' ? (this.findCompany(companyOrId) ?? this.resellerCompany) : companyOrId;
		const existingData = this.#companyData.get(company.companyResourceId);
		if (existingData) return existingData;
		const newData = new CompanyData(company, this.catalogue, this.makeId, this.getRoleId, this.#seedReferenceTime);
		this.#companyData.set(company.companyResourceId, newData);
		return newData;
	}

	/** Adds changed values to the notes of a record. */
	addNote(resourceId: string, changes: Record<string, unknown>): void {
		this.notes.set(resourceId, { ...this.notes.get(resourceId), ...changes });
	}

	/** Returns the notes of a record; an empty object if there are none. */
	getNotes(resourceId: string): Record<string, unknown> {
		return this.notes.get(resourceId) ?? {};
	}

	/** Adds a company as the last child of `parent`. Without a parent, it becomes the last company of the top level. */
	addCompany(company: Company, parent: Company | undefined): void {
		(parent ? parent.children : this.companyTree).push(company);
		this.#flatCompanies = undefined;
		this.#companiesById = undefined;
	}

	/** Removes a company and all companies below it. */
	removeCompany(company: Company): void {
		const siblingCompanies = [this.companyTree, ...this.companies.map(({ children }) => children)].find((candidates) =>
			candidates.includes(company),
		);
		siblingCompanies?.splice(siblingCompanies.indexOf(company), 1);
		this.#flatCompanies = undefined;
		this.#companiesById = undefined;
		for (const group of this.companyGroups)
			group.companyResourceIdArray = group.companyResourceIdArray.filter((id) => this.findCompany(id));
	}

	/** Creates the ID of a new record. After a reset, the same sequence of requests gets the same IDs again. */
	createId(kind: string): string {
		const key = `made ${kind} ${++this.#createdCount}`;
		// Every platform uses a GUID as the ID of an enrollment.
		return kind === 'enrollment' ? makeGuid(key) : this.makeId(key);
	}

	/** Finds the API client with a client ID. If several clients have it, the newest one is returned. */
	findSignInClient(clientId: string): ApiClientRecord | undefined {
		return this.signInClients.findLast((client) => client.clientId === clientId);
	}

	#seedSignIn(name: string, role: string, company: Company, overrides: Partial<ApiClientRecord> = {}): void {
		const client: ApiClientRecord = {
			resourceId: this.makeId(`client ${name}`),
			companyResourceId: company.companyResourceId,
			name: `Stand-in ${name}`,
			clientId: `${name}-client`,
			clientSecret: `${name}-secret-${makeGuid(`secret ${name}`).slice(0, 13)}`,
			statusId: 1,
			hasIpAddressRestriction: false,
			allowedIpAddresses: [],
			roleResourceIdList: [this.getRoleId(company.companyResourceId, role)],
			createTime: '2025-06-01T09:00:00.000Z',
			missingPermissions: [],
			...overrides,
		};
		this.signInClients.push(client);
		this.getCompanyData(company).clients.push(client);
	}
}
