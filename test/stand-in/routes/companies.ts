import { pick } from 'lodash';
import { z } from 'zod';
import {
	parseWithSchema,
	dateTimeSchema,
	requireFound,
	createBadRequestError,
	createNotFoundError,
	HttpError,
	createTextSchema,
} from '../envelope';
import { findCode, MODULES, type CodeKind } from '../deployed/lookups';
import {
	markOutsideContract,
	defineWriteRoute,
	defineReadRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { getChildRows } from '../filters';
import { defineExportRoute, defineSearchRoute, flattenRows, type ListDefinition } from '../paging';
import { makeGuid, makeNumericId, makeShortId } from '../random';
import { flattenCompanyTree, type Company, type CompanyGroup } from '../seed';
import { readFormFields, formBooleanSchema, formIntegerSchema } from './settings';

function isOverLimit(row: JsonObject): boolean {
	return row.isNumberOfUsersLimited === true && Number(row.targetUserCount) > Number(row.numberOfUsers);
}

/**
 * Computes the number of monthly active users in a month other than the current one, as a fraction of the current number.
 */
export function getMonthlyCount(count: unknown, month: string): number {
	return Math.floor(Number(count) / ((Number(month.slice(-2)) % 3) + 2));
}

/**
 * If the filter names a month other than the current one, replaces the number of monthly active users of each company
 * with that of this month (deployment activity 10).
 */
function applyFilteredMonth(rows: JsonObject[], body: JsonObject, call: RouteCall): JsonObject[] {
	const [, month = ''] =
		/"fieldname":"monthlyactiveuser","operator":"=","value":"(\d{4}-\d{2})"/i.exec(JSON.stringify(body)) ?? [];
	const isOtherMonth = month !== '' && month !== new Date().toISOString().slice(0, 7);
	if (!call.isDeployed || call.options.conditionSupport !== 'understood' || !isOtherMonth) return rows;
	return rows.map((row) => ({
		...row,
		monthlyActiveUserCount: getMonthlyCount(row.monthlyActiveUserCount, month),
		children: applyFilteredMonth(getChildRows(row), body, call),
	}));
}

const COMPANY_LIST: ListDefinition = {
	getRows: (call, body) =>
		applyFilteredMonth(call.scopedCompany ? [call.scopedCompany] : call.world.companyTree, body, call),
	idField: 'companyResourceId',
	nameField: 'companyName',
	requiredPaging: 'all',
	filterRequirement: 'required',
	access: 'reseller',
	extraBodyFields: { isTargetUserCountExceededLimit: z.boolean().nullish() },
	createRowFilter: (body) => (body.isTargetUserCountExceededLimit === true ? isOverLimit : undefined),
	getExtraPageFields: (matchingRows) => ({
		limitExceededCompanyCount: flattenRows(matchingRows).filter(isOverLimit).length,
	}),
	// Sorting by these names works, although rows have no field called RenewalDate (deployment behaviour, "Search
	// bodies").
	extraSortNames: ['CreateTime', 'RenewalDate'],
};

/** Builds the record of a company from the values of its creation form. Seeded companies get default values instead. */
export function buildCompanyRecord(company: Company, call: RouteCall): JsonObject {
	const { children, ...ownFields } = company;
	const record = {
		description: `Customer since ${company.createTime.slice(0, 4)}`,
		address: '1 Main Street',
		websiteUrl: 'https://www.customer.example',
		statusId: 1,
		...call.world.companyDetails[company.companyResourceId],
	};
	if (call.isDeployed) return buildDeployedRecord(company, record, call);
	const displayFormats = { timeZoneId: 'Europe/Berlin', dateFormat: 'dd.MM.yyyy', timeFormat: 'HH:mm' };
	return {
		countryResourceId: makeGuid('country'),
		...displayFormats,
		childCompanyCount: flattenCompanyTree(children).length,
		...record,
		...ownFields,
	};
}

/** Builds the two fields of a coded value, such as the country: its ID and its name. */
function buildCodeFields(field: string, kind: CodeKind, record: JsonObject): JsonObject {
	if (record[`${field}ResourceId`] === null) return { [`${field}ResourceId`]: null, [`${field}Name`]: null };
	const { resourceId, name } = findCode(kind, record[`${field}ResourceId`]);
	return { [`${field}ResourceId`]: resourceId, [`${field}Name`]: name };
}

/** Returns the URL of a company's logo. */
export function buildLogoUrl(id: string): string {
	return `https://cdn.awareness.example/logos/${id}.png`;
}

function buildDeployedRecord(company: Company, record: JsonObject, { world }: RouteCall): JsonObject {
	const { companyResourceId, companyName, createTime, numberOfUsers } = company;
	const parent = world.companies.find(({ children }) => children.includes(company)) ?? world.resellerCompany;
	const groups = world.companyGroups.filter(({ companyResourceIdArray }) =>
		companyResourceIdArray.includes(companyResourceId),
	);
	return {
		resourceId: companyResourceId,
		name: companyName,
		logoUrl: buildLogoUrl(companyResourceId),
		isVersionVisible: true,
		isReleaseNotesVisible: false,
		releaseNotesUrl: null,
		callBackNumberBookingCount: 2,
		...pick(record, [
			'description',
			'address',
			'websiteUrl',
			'statusId',
			'logoUrl',
			'isVersionVisible',
			'isReleaseNotesVisible',
			'releaseNotesUrl',
			'callBackNumberBookingCount',
		]),
		...pick(company, [
			'industryResourceId',
			'industryName',
			'licenseTypeResourceId',
			'licenseTypeName',
			'licenseEndDate',
			'isNumberOfUsersLimited',
			'targetUserCount',
			'tags',
		]),
		...buildCodeFields('country', 'country', record),
		countryCode: findCode('country', record.countryResourceId).code,
		...buildCodeFields('licensePeriodType', 'licensePeriod', record),
		...buildCodeFields('notificationTemplateType', 'notificationTemplate', record),
		...buildCodeFields('trainingContentType', 'trainingContent', record),
		...buildCodeFields('smtpConfigurationType', 'smtp', record),
		...buildCodeFields('preferredLanguageType', 'language', record),
		licenseStartDate: record.licenseStartDate ?? createTime,
		numberOfUsers: Number(numberOfUsers),
		parentId: makeNumericId(parent.companyResourceId),
		statusName: 'Active',
		companyGroups: groups.map(({ resourceId, name }) => ({ resourceId, name })),
		licenseModules: record.licenseModuleResourceIdArray ?? MODULES.map((name) => makeShortId(`license module ${name}`)),
		timeZoneId: record.timeZoneId ?? 'Europe/Istanbul',
		dateFormat: record.dateFormat ?? 'dd/MM/yyyy',
		timeFormat: record.timeFormat ?? '24h',
	};
}

/** The schema of the form that creates or changes a company. */
export const companyFormSchema = z
	.object({
		name: createTextSchema(64),
		industryResourceId: createTextSchema(100),
		countryResourceId: createTextSchema(100),
		licenseTypeResourceId: createTextSchema(100),
		licensePeriodTypeResourceId: createTextSchema(100),
		numberOfUsers: formIntegerSchema,
		timeZoneId: createTextSchema(100),
		dateFormat: createTextSchema(50),
		timeFormat: createTextSchema(50),
		description: z.string().max(300).optional(),
		address: z.string().max(200).optional(),
		websiteUrl: z.string().max(2000).optional(),
		licenseModuleResourceIdArray: z.array(z.string()).optional(),
		licenseStartDate: dateTimeSchema.optional(),
		licenseEndDate: dateTimeSchema.optional(),
		isNumberOfUsersLimited: formBooleanSchema.optional(),
		companyGroupResourceIdArray: z.array(z.string()).optional(),
		statusId: formIntegerSchema.optional(),
		tags: z.array(z.string()).optional(),
	})
	.passthrough();

/** The form fields that are lists. */
export const FORM_LIST_FIELDS = ['licenseModuleResourceIdArray', 'companyGroupResourceIdArray', 'tags'];

/**
 * Finds company groups by their IDs.
 * @throws HttpError 400 if one of them does not exist
 */
export function findGroups(ids: readonly string[], { world }: RouteCall): CompanyGroup[] {
	return ids.map((id) => {
		const group = world.companyGroups.find((entry) => entry.resourceId === id);
		if (!group) throw createBadRequestError(`The CompanyGroupResourceIdArray has an unknown company group: ${id}.`);
		return group;
	});
}

/** Saves the uploaded logo, if there is one. */
export function saveLogo(id: string, { files, world }: RouteCall): void {
	const logo = files.find(({ field }) => field === 'File');
	if (!logo) return;
	const { field: _field, ...upload } = logo;
	world.logos[id] = upload;
}

/** Creates a company from the form in the request. */
function createCompany(call: RouteCall): string {
	const form = parseWithSchema(companyFormSchema, readFormFields(call, FORM_LIST_FIELDS));
	const { world } = call;
	const groups = findGroups(form.companyGroupResourceIdArray ?? [], call);
	const id = world.createId('company');
	const companyWithSameIndustry = world.companies.find(
		(company) => company.industryResourceId === form.industryResourceId,
	);
	const companyWithSameLicense = world.companies.find(
		(company) => company.licenseTypeResourceId === form.licenseTypeResourceId,
	);
	const licenseEnd = form.licenseEndDate ?? '2031-12-31T00:00:00.000Z';
	const company: Company = {
		companyName: form.name,
		companyResourceId: id,
		resellerName: world.resellerCompany.companyName ?? '',
		industryName: companyWithSameIndustry?.industryName ?? 'Other',
		industryResourceId: form.industryResourceId,
		licenseTypeName: companyWithSameLicense?.licenseTypeName ?? 'Other',
		licenseTypeResourceId: form.licenseTypeResourceId,
		isNumberOfUsersLimited: form.isNumberOfUsersLimited ?? false,
		numberOfUsers: String(form.numberOfUsers),
		privacyDurationId: 1,
		licenceExpired: Date.parse(licenseEnd) < Date.now(),
		licenseEndDate: licenseEnd,
		createTime: new Date().toISOString(),
		targetUserCount: 0,
		children: [],
		tags: form.tags ?? [],
		deletedTargetUserCount: 0,
		inactiveTargetUserCount: 0,
		monthlyActiveUserCount: 0,
	};
	world.addCompany(
		company,
		call.scopedCompany && call.scopedCompany !== world.resellerCompany ? call.scopedCompany : undefined,
	);
	for (const group of groups) group.companyResourceIdArray = [...group.companyResourceIdArray, id];
	const { name: _name, tags: _tags, ...savedDetails } = form;
	world.companyDetails[id] = savedDetails;
	saveLogo(id, call);
	return id;
}

/** Builds the fields that say when resellers have access to a company (deployment onboarding 2). */
export function buildAccessWindow({
	privacyDurationId,
	createTime,
	licenseEndDate,
}: Omit<Company, 'children'>): JsonObject {
	return { privacyDurationId, privacyDurationStartTime: createTime, privacyDurationEndTime: licenseEndDate };
}

/** Builds a company and its children in the form of the response with the caller's own company on live deployments. */
function buildOwnCompanyNode({ children, ...company }: Company): JsonObject {
	const { companyName, companyResourceId, licenceExpired } = company;
	return {
		name: companyName,
		resourceId: companyResourceId,
		logoUrl: buildLogoUrl(companyResourceId),
		licenceExpired,
		...buildAccessWindow(company),
		children: children.map(buildOwnCompanyNode),
	};
}

/**
 * Builds the response with the caller's own company. On the contract's platform, it is one record. On live deployments,
 * it is a list with this company. The reseller's own company contains the tree of all customers (deployment facts,
 * "Responses").
 */
function buildOwnCompany(call: RouteCall): unknown {
	const { caller, scopedCompany, world, isDeployed } = call;
	if (!isDeployed) return buildCompanyRecord(caller.company, call);
	const company = scopedCompany ?? caller.company;
	const children = company === world.resellerCompany ? world.companyTree : company.children;
	return [buildOwnCompanyNode({ ...company, children })];
}

/**
 * Finds the company whose ID is in the path.
 * @throws HttpError 403 if the caller has no access to it; 404 if it does not exist or, on live deployments, if it is
 * not in the tree of the company that the header names
 */
export function findVisibleCompany({ caller, scopedCompany, world, params, isDeployed }: RouteCall): Company {
	const id = params.resourceId ?? '';
	const forbiddenError = new HttpError(403, ['You are not authorized to act for this company.']);
	if (id === world.foreignCompany.companyResourceId) throw forbiddenError;
	const company = requireFound(
		id === caller.company.companyResourceId ? caller.company : world.findCompany(id),
		'company',
	);
	if (!caller.isReseller && company !== caller.company) throw forbiddenError;
	const isScopedToCustomer = isDeployed && scopedCompany && scopedCompany !== world.resellerCompany;
	if (isScopedToCustomer && !flattenCompanyTree([scopedCompany]).includes(company))
		throw createNotFoundError('company');
	return company;
}

function buildLicenseCheck({
	isNumberOfUsersLimited,
	numberOfUsers,
	targetUserCount,
	inactiveTargetUserCount,
}: Company): JsonObject {
	return {
		isLimited: isNumberOfUsersLimited,
		licenseLimit: Number(numberOfUsers),
		activeUserCount: targetUserCount,
		totalUserCount: targetUserCount + inactiveTargetUserCount,
		isLicenseExceeded: isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers),
	};
}

/** Creates the company routes of contract 4.3. */
export function companyRoutes(): Route[] {
	return [
		defineSearchRoute('POST /api/companies/search', COMPANY_LIST),
		// The name contains characters outside ASCII, so that the file name is sent in the form of RFC 5987.
		defineExportRoute('POST /api/companies/search/export', COMPANY_LIST, 'Companies – Überblick', true),
		defineReadRoute('GET /api/companies/my', buildOwnCompany),
		defineReadRoute('GET /api/companies/{resourceId}', (call) => buildCompanyRecord(findVisibleCompany(call), call)),
		defineWriteRoute('POST /api/companies', (call) => ({ resourceId: createCompany(call) }), {
			access: 'reseller',
			bodyType: 'multipart',
		}),
		markOutsideContract(
			defineReadRoute('GET /api/companies/{resourceId}/license-check', (call) =>
				buildLicenseCheck(findVisibleCompany(call)),
			),
		),
	];
}
