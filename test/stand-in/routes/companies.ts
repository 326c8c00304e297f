import { pick } from 'lodash';
import { z } from 'zod';
import { check, dateTime, found, invalid, missing, Refusal, text } from '../envelope';
import { coded, MODULES, type CodeKind } from '../deployed/lookups';
import { beside, changing, isRow, reading, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import { guid, numericId, shortId } from '../random';
import { flatten, type Company, type CompanyGroup } from '../seed';
import { fieldsOf, formBoolean, formInteger } from './settings';

function overLimit(row: Row): boolean {
	return row.isNumberOfUsersLimited === true && Number(row.targetUserCount) > Number(row.numberOfUsers);
}

/** All records of a tree, parents and children. */
function everyone(rows: Row[]): Row[] {
	return rows.flatMap((row) => [row, ...everyone(Array.isArray(row.children) ? row.children.filter(isRow) : [])]);
}

/** A company's monthly active users in another month than the present one: a part of these. */
export const inMonth = (count: unknown, month: string): number =>
	Math.floor(Number(count) / ((Number(month.slice(-2)) % 3) + 2));

/** The figures of another month, where the filter has one (deployment activity, 10). */
function ofMonth(rows: Row[], body: Row, call: Call): Row[] {
	const [, month = ''] =
		/"fieldname":"monthlyactiveuser","operator":"=","value":"(\d{4}-\d{2})"/i.exec(JSON.stringify(body)) ?? [];
	const isOther = month !== '' && month !== new Date().toISOString().slice(0, 7);
	if (!call.isDeployed || call.options.conditions !== 'understood' || !isOther) return rows;
	return rows.map((row) => ({
		...row,
		monthlyActiveUserCount: inMonth(row.monthlyActiveUserCount, month),
		children: ofMonth(Array.isArray(row.children) ? row.children.filter(isRow) : [], body, call),
	}));
}

const COMPANIES: Listing = {
	rows: (call, body) => ofMonth(call.scope ? [call.scope] : call.world.tree, body, call),
	id: 'companyResourceId',
	name: 'companyName',
	required: 'all',
	filter: 'required',
	access: 'reseller',
	fields: { isTargetUserCountExceededLimit: z.boolean().nullish() },
	keep: (body) => (body.isTargetUserCountExceededLimit === true ? overLimit : undefined),
	extra: (matching) => ({ limitExceededCompanyCount: everyone(matching).filter(overLimit).length }),
	// No field has that name (deployment behaviour).
	sorts: ['CreateTime', 'RenewalDate'],
};

/** The record of GET /api/companies/{resourceId}: the values of its creation, or generated ones. */
export function details(company: Company, call: Call): Row {
	const { children, ...own } = company;
	const known = {
		description: `Customer since ${company.createTime.slice(0, 4)}`,
		address: '1 Main Street',
		websiteUrl: 'https://www.customer.example',
		statusId: 1,
		...call.world.companyDetails[company.companyResourceId],
	};
	if (call.isDeployed) return deployedDetails(company, known, call);
	const form = { timeZoneId: 'Europe/Berlin', dateFormat: 'dd.MM.yyyy', timeFormat: 'HH:mm' };
	return { countryResourceId: guid('country'), ...form, childCompanyCount: flatten(children).length, ...known, ...own };
}

/** The identifier and the name of a thing that a company has one of. */
function named(field: string, kind: CodeKind, known: Row): Row {
	if (known[`${field}ResourceId`] === null) return { [`${field}ResourceId`]: null, [`${field}Name`]: null };
	const { resourceId, name } = coded(kind, known[`${field}ResourceId`]);
	return { [`${field}ResourceId`]: resourceId, [`${field}Name`]: name };
}

/** Where a company's logo is. */
export const logoUrl = (id: string): string => `https://cdn.awareness.example/logos/${id}.png`;

function deployedDetails(company: Company, known: Row, { world }: Call): Row {
	const { companyResourceId, companyName, createTime, numberOfUsers } = company;
	const parent = world.companies.find(({ children }) => children.includes(company)) ?? world.reseller;
	const groups = world.groups.filter(({ companyResourceIdArray }) =>
		companyResourceIdArray.includes(companyResourceId),
	);
	return {
		resourceId: companyResourceId,
		name: companyName,
		logoUrl: logoUrl(companyResourceId),
		isVersionVisible: true,
		isReleaseNotesVisible: false,
		releaseNotesUrl: null,
		callBackNumberBookingCount: 2,
		...pick(known, ['description', 'address', 'websiteUrl', 'statusId', 'logoUrl', 'isVersionVisible']),
		...pick(known, ['isReleaseNotesVisible', 'releaseNotesUrl', 'callBackNumberBookingCount']),
		...pick(company, ['industryResourceId', 'industryName', 'licenseTypeResourceId', 'licenseTypeName']),
		...pick(company, ['licenseEndDate', 'isNumberOfUsersLimited', 'targetUserCount', 'tags']),
		...named('country', 'country', known),
		countryCode: coded('country', known.countryResourceId).code,
		...named('licensePeriodType', 'licensePeriod', known),
		...named('notificationTemplateType', 'notificationTemplate', known),
		...named('trainingContentType', 'trainingContent', known),
		...named('smtpConfigurationType', 'smtp', known),
		...named('preferredLanguageType', 'language', known),
		licenseStartDate: known.licenseStartDate ?? createTime,
		numberOfUsers: Number(numberOfUsers),
		parentId: numericId(parent.companyResourceId),
		statusName: 'Active',
		companyGroups: groups.map(({ resourceId, name }) => ({ resourceId, name })),
		licenseModules: known.licenseModuleResourceIdArray ?? MODULES.map((name) => shortId(`license module ${name}`)),
		timeZoneId: known.timeZoneId ?? 'Europe/Istanbul',
		dateFormat: known.dateFormat ?? 'dd/MM/yyyy',
		timeFormat: known.timeFormat ?? '24h',
	};
}

/** The form of a company that is made or changed. */
export const creation = z
	.object({
		name: text(64),
		industryResourceId: text(100),
		countryResourceId: text(100),
		licenseTypeResourceId: text(100),
		licensePeriodTypeResourceId: text(100),
		numberOfUsers: formInteger,
		timeZoneId: text(100),
		dateFormat: text(50),
		timeFormat: text(50),
		description: z.string().max(300).optional(),
		address: z.string().max(200).optional(),
		websiteUrl: z.string().max(2000).optional(),
		licenseModuleResourceIdArray: z.array(z.string()).optional(),
		licenseStartDate: dateTime.optional(),
		licenseEndDate: dateTime.optional(),
		isNumberOfUsersLimited: formBoolean.optional(),
		companyGroupResourceIdArray: z.array(z.string()).optional(),
		statusId: formInteger.optional(),
		tags: z.array(z.string()).optional(),
	})
	.passthrough();

/** Its fields that are lists. */
export const LISTS = ['licenseModuleResourceIdArray', 'companyGroupResourceIdArray', 'tags'];

/** The company groups of these identifiers. @throws Refusal when one of them is not there */
export function groupsOf(ids: readonly string[], { world }: Call): CompanyGroup[] {
	return ids.map((id) => {
		const group = world.groups.find((entry) => entry.resourceId === id);
		if (!group) throw invalid(`The CompanyGroupResourceIdArray has an unknown company group: ${id}.`);
		return group;
	});
}

/** Keeps the logo that was sent, if there is one. */
export function keepLogo(id: string, { files, world }: Call): void {
	const logo = files.find(({ field }) => field === 'File');
	if (!logo) return;
	const { field: _field, ...upload } = logo;
	world.logos[id] = upload;
}

/** Makes a company of the form that was sent. */
function create(call: Call): string {
	const asked = check(creation, fieldsOf(call, LISTS));
	const { world } = call;
	const groups = groupsOf(asked.companyGroupResourceIdArray ?? [], call);
	const id = world.newId('company');
	const known = world.companies.find((company) => company.industryResourceId === asked.industryResourceId);
	const license = world.companies.find((company) => company.licenseTypeResourceId === asked.licenseTypeResourceId);
	const end = asked.licenseEndDate ?? '2031-12-31T00:00:00.000Z';
	const company: Company = {
		companyName: asked.name,
		companyResourceId: id,
		resellerName: world.reseller.companyName ?? '',
		industryName: known?.industryName ?? 'Other',
		industryResourceId: asked.industryResourceId,
		licenseTypeName: license?.licenseTypeName ?? 'Other',
		licenseTypeResourceId: asked.licenseTypeResourceId,
		isNumberOfUsersLimited: asked.isNumberOfUsersLimited ?? false,
		numberOfUsers: String(asked.numberOfUsers),
		privacyDurationId: 1,
		licenceExpired: Date.parse(end) < Date.now(),
		licenseEndDate: end,
		createTime: new Date().toISOString(),
		targetUserCount: 0,
		children: [],
		tags: asked.tags ?? [],
		deletedTargetUserCount: 0,
		inactiveTargetUserCount: 0,
		monthlyActiveUserCount: 0,
	};
	world.add(company, call.scope && call.scope !== world.reseller ? call.scope : undefined);
	for (const group of groups) group.companyResourceIdArray = [...group.companyResourceIdArray, id];
	const { name: _name, tags: _tags, ...kept } = asked;
	world.companyDetails[id] = kept;
	keepLogo(id, call);
	return id;
}

/** A company as a live deployment's list of the caller's own companies has it, with its children. */
function mine({ children, ...company }: Company): Row {
	const { companyName, companyResourceId, createTime, licenseEndDate } = company;
	return {
		name: companyName,
		resourceId: companyResourceId,
		logoUrl: logoUrl(companyResourceId),
		...pick(company, ['privacyDurationId', 'licenceExpired']),
		privacyDurationStartTime: createTime,
		privacyDurationEndTime: licenseEndDate,
		children: children.map(mine),
	};
}

/** One record, which cannot contain a reseller's customers; of a live deployment the whole tree (deployment facts). */
function own(call: Call): unknown {
	const { caller, scope, world, isDeployed } = call;
	if (!isDeployed) return details(caller.company, call);
	const company = scope ?? caller.company;
	return [mine({ ...company, children: company === world.reseller ? world.tree : company.children })];
}

/** The company that the path names, if the caller may see it; not found if a live deployment's header names another one. */
export function oneCompany({ caller, scope, world, params, isDeployed }: Call): Company {
	const id = params.resourceId ?? '';
	const refusal = new Refusal(403, ['You are not authorized to act for this company.']);
	if (id === world.foreign.companyResourceId) throw refusal;
	const company = found(id === caller.company.companyResourceId ? caller.company : world.company(id), 'company');
	if (!caller.reseller && company !== caller.company) throw refusal;
	if (isDeployed && scope && scope !== world.reseller && !flatten([scope]).includes(company)) throw missing('company');
	return company;
}

function licenseCheck({
	isNumberOfUsersLimited,
	numberOfUsers,
	targetUserCount,
	inactiveTargetUserCount,
}: Company): Row {
	return {
		isLimited: isNumberOfUsersLimited,
		licenseLimit: Number(numberOfUsers),
		activeUserCount: targetUserCount,
		totalUserCount: targetUserCount + inactiveTargetUserCount,
		isLicenseExceeded: isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers),
	};
}

/** Contract 4.3, the companies. */
export function companyRoutes(): Route[] {
	return [
		search('POST /api/companies/search', COMPANIES),
		// A name outside ASCII: the file name comes in RFC 5987's form.
		exportOf('POST /api/companies/search/export', COMPANIES, 'Companies – Überblick', true),
		reading('GET /api/companies/my', own),
		reading('GET /api/companies/{resourceId}', (call) => details(oneCompany(call), call)),
		changing('POST /api/companies', (call) => ({ resourceId: create(call) }), {
			access: 'reseller',
			takes: 'multipart',
		}),
		beside(reading('GET /api/companies/{resourceId}/license-check', (call) => licenseCheck(oneCompany(call)))),
	];
}
