/** Routes for the domains that the platform sends emails to (deployment onboarding 2; deployment beyond, "Allowed domains"). */
import { z } from 'zod';
import type { AllowedDomain } from '../companyData';
import { createTextSchema, parseWithSchema, requireFound } from '../envelope';
import {
	defineActionRoute,
	defineWriteRoute,
	markOutsideContract,
	type JsonObject,
	type Route,
	type RouteCall,
} from '../http';
import type { ListDefinition } from '../paging';
import { makeGuid } from '../random';
import { readFormFields } from '../routes/settings';
import { defineDeployedExportRoute, defineDeployedSearchRoute } from './lists';

const newDomainSchema = z.object({ domain: createTextSchema(255), txtRecord: createTextSchema(500) }).passthrough();

/** Creates a TXT record. No document says if two requests get the same one. */
const createTxtRecord = ({ companyData: { company, allowedDomains } }: RouteCall): string =>
	`domain-verification=${makeGuid(`txt ${company.companyResourceId} ${allowedDomains.length}`)}`;

function createDomain(call: RouteCall): JsonObject {
	const { domain, txtRecord } = parseWithSchema(newDomainSchema, readFormFields(call, []));
	const resourceId = call.world.createId('allowed domain');
	const createTime = new Date().toISOString();
	call.companyData.allowedDomains.push({
		resourceId,
		domain,
		txtRecord,
		status: 'Unverified',
		lastCheckTime: null,
		verifyTime: null,
		createTime,
	});
	return { resourceId };
}

const findDomain = ({ companyData, params }: RouteCall): AllowedDomain =>
	requireFound(
		companyData.allowedDomains.find(({ resourceId }) => resourceId === params.resourceId),
		'allowed domain',
	);

function markAsVerified(domain: AllowedDomain): void {
	domain.status = 'Verified';
	domain.verifyTime = new Date().toISOString();
}

/** Verifies a domain if its TXT record is in DNS. The numbers are invented, because no document explains them. */
function verifyDomain(call: RouteCall): JsonObject {
	const allowedDomain = findDomain(call);
	allowedDomain.lastCheckTime = new Date().toISOString();
	if (call.options.areTxtRecordsInDns) markAsVerified(allowedDomain);
	const { createTime: _createTime, ...record } = allowedDomain;
	return { ...record, companyId: 7, status: record.status === 'Verified' ? 1 : 0, verifyType: 1 };
}

function deleteDomains({ companyData, json }: RouteCall): null {
	const { resourceIds } = parseWithSchema(z.object({ resourceIds: z.array(z.string()).min(1) }), json);
	for (const id of resourceIds)
		requireFound(
			companyData.allowedDomains.find(({ resourceId }) => resourceId === id),
			'allowed domain',
		);
	companyData.allowedDomains = companyData.allowedDomains.filter(({ resourceId }) => !resourceIds.includes(resourceId));
	return null;
}

const DOMAIN_LIST: ListDefinition = {
	getRows: ({ visibleCompanies, world }) =>
		visibleCompanies.flatMap((company) =>
			world.getCompanyData(company).allowedDomains.map(({ resourceId: allowListResourceId, ...row }): JsonObject => ({
				allowListResourceId,
				...row,
				verifyType: 1,
			})),
		),
	idField: 'allowListResourceId',
	nameField: 'domain',
};

export function allowedDomainRoutes(): Route[] {
	const path = '/api/allow-list';
	return [
		defineWriteRoute(`POST ${path}/txt-record`, createTxtRecord, { bodyType: 'nothing' }),
		defineWriteRoute(`POST ${path}`, createDomain, { bodyType: 'multipart' }),
		defineWriteRoute(`POST ${path}/verify/{resourceId}`, verifyDomain, { bodyType: 'nothing' }),
		{
			...defineActionRoute(`PUT ${path}/mark-as-verified/{resourceId}`, (call) => {
				const allowedDomain = findDomain(call);
				markAsVerified(allowedDomain);
				return allowedDomain.resourceId;
			}),
			access: 'reseller' as const,
		},
		defineWriteRoute(`DELETE ${path}`, deleteDomains),
		defineDeployedSearchRoute(`POST ${path}/search`, DOMAIN_LIST),
		defineDeployedExportRoute(`POST ${path}/search/export`, DOMAIN_LIST, 'allowed-domains', true),
	].map(markOutsideContract);
}
