/** The cases for the domains that the platform sends emails to, which only live deployments have. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import {
	createExportRun,
	createListRun,
	defineCases,
	expectOnlyItem,
	nonEmptyTextSchema,
	requireValue,
	type Case,
} from './case';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';

const PATH = '/api/allow-list';
const SEARCH = `POST ${PATH}/search`;
const DOMAIN = 'harbour.example';
/** Matches a TXT record (deployment onboarding 2). */
const txtRecordSchema = z.string().regex(/^domain-verification/);

/** Creates a domain that isn't verified, in addition to the verified one that the customer has. @returns its ID */
async function createDomain(customer: CustomerFixture): Promise<string> {
	const form = new FormData();
	form.append('Domain', DOMAIN);
	form.append('TxtRecord', z.string().parse(await customer.fetchData(`POST ${PATH}/txt-record`)));
	return await customer.fetchText('resourceId', `POST ${PATH}`, form);
}

/** Finds a domain of the customer by its ID. */
const findDomain = ({ companyData }: CustomerFixture, id: unknown) =>
	requireValue(companyData.allowedDomains.find(({ resourceId }) => resourceId === id));

const domainChangeCases = defineCases(
	'AllowedDomain',
	{
		getMany: async (customer) => createListRun(customer, SEARCH),
		getTxtRecord: (customer) => ({
			parameters: customer.companyParameters,
			itemCount: 1,
			checkItems: (items) => {
				expectOnlyItem(items, { txtRecord: txtRecordSchema });
			},
		}),
		create: (customer) => ({
			parameters: { ...customer.companyParameters, domain: DOMAIN },
			itemCount: 1,
			requiredRequests: [SEARCH, `POST ${PATH}/txt-record`, `POST ${PATH}`],
			checkItems: (items) => {
				const { resourceId, txtRecord } = expectOnlyItem(items, {
					domain: z.literal(DOMAIN),
					txtRecord: txtRecordSchema,
					resourceId: nonEmptyTextSchema,
				});
				const { domain, txtRecord: savedRecord, status } = findDomain(customer, resourceId);
				assert.deepEqual([domain, savedRecord, status], [DOMAIN, txtRecord, 'Unverified']);
			},
		}),
		verify: async (customer) => {
			const id = await createDomain(customer);
			return {
				parameters: { ...customer.companyParameters, allowedDomain: toIdLocator(id) },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { resourceId: z.literal(id), domain: z.literal(DOMAIN), status: z.literal(1) });
					assert.equal(findDomain(customer, id).status, 'Verified');
				},
			};
		},
		markAsVerified: async (customer) => {
			const id = await createDomain(customer);
			return {
				parameters: {
					...customer.companyParameters,
					allowedDomain: toListLocator(id, DOMAIN),
					domainToMark: DOMAIN,
				},
				itemCount: 1,
				requiredRequests: [SEARCH, `PUT ${PATH}/mark-as-verified/{resourceId}`],
				checkItems: (items) => {
					expectOnlyItem(items, { resourceId: z.literal(id), domain: z.literal(DOMAIN), success: z.literal(true) });
					assert.equal(findDomain(customer, id).status, 'Verified');
				},
			};
		},
		delete: async (customer) => {
			const id = await createDomain(customer);
			const otherDomains = customer.companyData.allowedDomains.filter(({ resourceId }) => resourceId !== id);
			assert.ok(otherDomains.length > 0, 'There must be another domain, which stays');
			return {
				parameters: { ...customer.companyParameters, allowedDomain: toListLocator(id, DOMAIN) },
				itemCount: 1,
				checkItems: (items) => {
					expectOnlyItem(items, { resourceId: z.literal(id), domain: z.literal(DOMAIN), deleted: z.literal(true) });
					assert.deepEqual(customer.companyData.allowedDomains, otherDomains);
				},
			};
		},
	},
	{ isOutsideContract: true },
);

const domainExportCases = defineCases(
	'AllowedDomain',
	{
		export: (customer) =>
			createExportRun(customer, {
				key: `${SEARCH}/export`,
				fileName: 'allowed-domains.csv',
				rowCount: customer.companyData.allowedDomains.length,
				parameters: customer.companyParameters,
			}),
	},
	{ hasFileOutput: true, isOutsideContract: true },
);

export const allowedDomainCases: Case[] = [...domainChangeCases, ...domainExportCases];
