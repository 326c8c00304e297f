import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Company } from '../stand-in/seed';
import { byId, type CustomerFixture } from './customerFixture';
import {
	areRecords,
	casesOf,
	file,
	isWord,
	lists,
	only,
	refusedOnce,
	sha256,
	shows,
	the,
	type Case,
	type InputFile,
	type Item,
	type Row,
	sentIn,
} from './case';

/** A logo of a company. */
export const LOGO: InputFile = {
	fileName: 'logo.png',
	mimeType: 'image/png',
	content: Buffer.from('89504e470d0a1a0a00', 'hex'),
};

/** Companies as items of their own: each names its parent. */
const flat = (companies: readonly Company[], parent: object = {}): Row[] =>
	companies.flatMap(({ children, ...own }) => [
		{ ...own, ...parent },
		...flat(children, { parentCompanyResourceId: own.companyResourceId }),
	]);

/** The same as a live deployment's list of one's own shows them: by other names, and in part. */
const shownOf = ({
	companyName,
	companyResourceId,
	privacyDurationId,
	licenceExpired,
	createTime,
	licenseEndDate,
	parentCompanyResourceId,
}: Row): Row => ({
	name: companyName,
	resourceId: companyResourceId,
	logoUrl: `https://cdn.awareness.example/logos/${String(companyResourceId)}.png`,
	privacyDurationId,
	licenceExpired,
	privacyDurationStartTime: createTime,
	privacyDurationEndTime: licenseEndDate,
	...(parentCompanyResourceId === undefined ? {} : { parentCompanyResourceId }),
});

/** Of the IDs that the platform has for these, where it tells which there are. */
const chosen = ({ company, isDeployed }: CustomerFixture) => ({
	industry: byId(company.industryResourceId),
	licenseType: byId(company.licenseTypeResourceId),
	timeZone: byId('Europe/Berlin'),
	...(isDeployed ? { dateFormat: 'dd/MM/yyyy', timeFormat: '24h' } : { dateFormat: 'dd.MM.yyyy', timeFormat: 'HH:mm' }),
});

/** The customers of a reseller. */
const ofCompany: Case[] = casesOf('Company', {
	getMany: ({ state }) => ({
		parameters: { returnAll: true },
		items: state.companies.length,
		expect: (items) => areRecords(items, flat(state.tree)),
	}),
	get: async (customer) =>
		shows(customer, `GET /api/companies/${customer.companyId}`, {
			companyScope: undefined,
			company: byId(customer.companyId),
		}),
	getOwn: ({ state, names, isDeployed }) => ({
		parameters: {},
		// As a list it is the reseller's whole tree.
		items: names.ownCompanyAsList ? 1 + state.companies.length : 1,
		expect: (items) => {
			const own = state.reseller.companyResourceId;
			assert.equal(items[0]?.json[isDeployed ? 'resourceId' : 'companyResourceId'], own);
			const below = flat(state.tree, { parentCompanyResourceId: own });
			if (isDeployed) areRecords(items, [...flat([{ ...state.reseller, children: [] }]), ...below].map(shownOf));
			else if (names.ownCompanyAsList) areRecords(items.slice(1), below);
		},
	}),
	create: (customer, asTool) => ({
		parameters: {
			name: 'Neue Bäckerei',
			country: 'de',
			licensePeriodType: 'year',
			numberOfUsers: 25,
			...chosen(customer),
			additionalFields: { tags: 'gold, pilot', ...(asTool ? {} : { logo: 'logo' }) },
		},
		files: { logo: LOGO },
		items: 1,
		expect: (items) => {
			const { state } = customer;
			const { resourceId } = only(items, { resourceId: isWord });
			const created = the(state.companies.find(({ companyResourceId }) => companyResourceId === resourceId));
			assert.deepEqual(
				[created.companyName, created.numberOfUsers, created.tags],
				['Neue Bäckerei', '25', ['gold', 'pilot']],
			);
			assert.equal(state.logos[resourceId]?.sha256, asTool ? undefined : sha256(LOGO.content));
		},
	}),
	getTotalActiveUsers: (customer) =>
		refusedOnce(customer, 'POST /api/companies/search', {
			parameters: {},
			items: 1,
			requests: ['POST /api/companies/search'],
			expect: (items) =>
				assert.deepEqual(sentIn(the(items[0])), {
					totalMonthlyActiveUserCount: customer.state.companies.reduce(
						(sum, { monthlyActiveUserCount }) => sum + monthlyActiveUserCount,
						0,
					),
					companyCount: customer.state.companies.length,
					companiesWithoutCount: 0,
				}),
		}),
});

const ofCompanyExport = casesOf(
	'Company',
	{
		export: (customer) =>
			file(customer, {
				key: 'POST /api/companies/search/export',
				fileName: 'Companies – Überblick.csv',
				rows: customer.state.companies.length,
			}),
	},
	{ isFile: true },
);

/** A group's companies at the service. */
export const groupIs = ({ state }: CustomerFixture, id: unknown, name: string, companies: string[]) => {
	const group = the(state.groups.find(({ resourceId }) => resourceId === id));
	assert.deepEqual([group.name, group.companyResourceIdArray], [name, companies]);
};
const someIds = ({ state }: CustomerFixture) =>
	state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
export const aGroup = ({ state }: CustomerFixture) => the(state.groups[1]);

/** Read beside the contract, where a platform has it: the companies of a group. */
export const MEMBERS = 'POST /api/company-groups/{resourceId}/companies/search';
/** Nobody tells what it can be sorted by, so the first try may be refused. */
const ORDERED = { also: [MEMBERS], again: [MEMBERS] };
const member = z.object({ companyResourceId: z.string(), companyName: z.string() });

/** Who is in a group by what an item tells: the only list of companies that it has. */
export function membersIn(items: Item[]) {
	const listed = Object.values(the(items[0]).json).flatMap(
		(value) => z.array(member).nonempty().safeParse(value).data ?? [],
	);
	assert.ok(listed.length > 0, 'The item does not tell the companies of the group');
	return listed;
}

/** Groups of customers. */
const ofCompanyGroup = casesOf('CompanyGroup', {
	getAllGroups: async (customer) => ({ ...(await lists(customer, 'GET /api/company-groups')), parameters: {} }),
	getMany: async (customer) => ({
		...(await lists(customer, 'POST /api/company-groups/search')),
		parameters: { returnAll: true },
	}),
	get: async (customer) => {
		const { resourceId, companyResourceIdArray } = aGroup(customer);
		const run = {
			...(await shows(customer, `GET /api/company-groups/${resourceId}`)),
			parameters: { companyGroup: byId(resourceId) },
		};
		if (!customer.isDeployed) return run;
		// There the record has only a count, and the companies are a list of their own.
		return {
			...run,
			...ORDERED,
			expect: (items) => {
				only(items, {
					resourceId: z.literal(resourceId),
					name: isWord,
					companyCount: z.literal(companyResourceIdArray.length),
				});
				assert.deepEqual(
					membersIn(items)
						.map((each) => each.companyResourceId)
						.sort(),
					[...companyResourceIdArray].sort(),
				);
			},
		};
	},
	create: (customer) => ({
		parameters: { name: 'Größte', participantsFrom: 'list', participantList: someIds(customer) },
		items: 1,
		expect: (items) => groupIs(customer, only(items, { resourceId: isWord }).resourceId, 'Größte', someIds(customer)),
	}),
	update: (customer, asTool) => {
		const { resourceId, companyResourceIdArray: before } = aGroup(customer);
		// An AI agent can't choose participants, because that would replace those of the group.
		const others = { participantsFrom: 'list', participantList: someIds(customer).join(', ') };
		return {
			parameters: {
				companyGroup: byId(resourceId),
				name: 'Renamed',
				...(asTool ? { participantsFrom: 'keep' } : others),
			},
			items: 1,
			...(asTool ? { again: ORDERED.again } : {}),
			expect: () => groupIs(customer, resourceId, 'Renamed', asTool ? before : someIds(customer)),
		};
	},
	replaceParticipants: (customer) => {
		const { resourceId, name, companyResourceIdArray: before } = aGroup(customer);
		const wanted = someIds(customer);
		// A live deployment only adds: who was there stays, and the item tells it.
		const after = customer.isDeployed ? [...new Set([...before, ...wanted])] : wanted;
		return {
			parameters: { companyGroup: byId(resourceId), participantList: wanted.join(',') },
			items: 1,
			// Afterwards it is read back who is in the group, where a platform tells that.
			requests: ['PUT /api/company-groups/{resourceId}/participants', customer.isDeployed ? MEMBERS : 'unknown'],
			...(customer.isDeployed ? { again: ORDERED.again } : {}),
			expect: () => groupIs(customer, resourceId, name, after),
		};
	},
});

const ofCompanyGroupExport = casesOf(
	'CompanyGroup',
	{
		export: (customer) =>
			file(customer, {
				key: 'POST /api/company-groups/search/export',
				fileName: 'company-groups.csv',
				rows: customer.state.groups.length,
			}),
	},
	{ isFile: true },
);

/** Companies and their groups. */
export const companyCases: Case[] = [...ofCompany, ...ofCompanyExport, ...ofCompanyGroup, ...ofCompanyGroupExport];
