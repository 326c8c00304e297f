import { found, invalid, missing, Refusal } from '../envelope';
import { beside, reading, type Call, type Route, type Row } from '../http';
import { numericId, shortId } from '../random';
import { companyListing } from '../routes/companies';
import { flatten, type Company } from '../seed';
import { strictExport, strictSearch, type StrictListing } from './lists';
import { coded, MODULES, type CodeKind } from './lookups';

const COMPANIES: StrictListing = {
	...companyListing,
	sorts: [
		...[
			'CreateTime',
			'RenewalDate',
			'CompanyName',
			'CompanyResourceId',
			'ResellerName',
			'IndustryName',
			'LicenseTypeName',
			'NumberOfUsers',
			'LicenceExpired',
		],
		...[
			'LicenseEndDate',
			'TargetUserCount',
			'DeletedTargetUserCount',
			'InactiveTargetUserCount',
			'MonthlyActiveUserCount',
		],
	],
};

/** Companies as in the list of the caller's own companies, with their children. */
function shown({
	companyName,
	companyResourceId,
	privacyDurationId,
	licenceExpired,
	createTime,
	licenseEndDate,
	children,
}: Company): Row {
	return {
		name: companyName,
		resourceId: companyResourceId,
		logoUrl: `https://cdn.awareness.example/logos/${companyResourceId}.png`,
		...{ privacyDurationId, licenceExpired },
		...{ privacyDurationStartTime: createTime, privacyDurationEndTime: licenseEndDate },
		children: children.map(shown),
	};
}

/** The reseller's whole tree, or the part of it that the scope or the role allows. */
function mine({ caller, scope, world }: Call): Row[] {
	const company = scope ?? caller.company;
	return [{ ...shown(company), children: (company === world.reseller ? world.tree : company.children).map(shown) }];
}

/** The identifier and the name of a thing that a company has one of. */
function named(field: string, kind: CodeKind, details: Row): Row {
	const { resourceId, name } = coded(kind, details[`${field}ResourceId`]);
	return { [`${field}ResourceId`]: resourceId, [`${field}Name`]: name };
}

function record(company: Company, { world }: Call): Row {
	const { companyResourceId, companyName, createTime, numberOfUsers } = company;
	const details = world.details.get(companyResourceId) ?? {};
	const {
		resourceId: countryResourceId,
		name: countryName,
		code: countryCode,
	} = coded('country', details.countryResourceId);
	const {
		industryResourceId,
		industryName,
		licenseTypeResourceId,
		licenseTypeName,
		licenseEndDate,
		isNumberOfUsersLimited,
		targetUserCount,
		tags,
	} = company;
	const parent = world.companies.find(({ children }) => children.includes(company)) ?? world.reseller;
	return {
		...{
			resourceId: companyResourceId,
			name: companyName,
			description: details.description ?? `Customer since ${createTime.slice(0, 4)}`,
		},
		...{ industryResourceId, industryName, countryResourceId, countryName, countryCode },
		...{
			address: details.address ?? '1 Main Street',
			websiteUrl: details.websiteUrl ?? 'https://www.customer.example',
		},
		logoUrl: `https://cdn.awareness.example/logos/${companyResourceId}.png`,
		...{ licenseTypeResourceId, licenseTypeName },
		...named('licensePeriodType', 'licensePeriod', details),
		...{
			licenseStartDate: details.licenseStartDate ?? createTime,
			licenseEndDate,
			isNumberOfUsersLimited,
			numberOfUsers: Number(numberOfUsers),
		},
		...named('notificationTemplateType', 'notificationTemplate', details),
		...named('trainingContentType', 'trainingContent', details),
		...named('smtpConfigurationType', 'smtp', details),
		...named('preferredLanguageType', 'language', details),
		...{ isVersionVisible: true, isReleaseNotesVisible: false, releaseNotesUrl: null },
		companyGroups: world.groups
			.filter(({ companyResourceIdArray }) => companyResourceIdArray.includes(companyResourceId))
			.map(({ resourceId, name }) => ({ resourceId, name })),
		...{ parentId: numericId(parent.companyResourceId), baseManHourCost: 50, baseManHour: 8 },
		...{
			statusId: details.statusId ?? 1,
			statusName: 'Active',
			licenseModules: details.licenseModuleResourceIdArray ?? MODULES.map((name) => shortId(`license module ${name}`)),
		},
		...{ targetUserCount, timeZoneId: details.timeZoneId ?? 'Europe/Istanbul', callBackNumberBookingCount: 0 },
		...{
			dateFormat: details.dateFormat ?? 'dd/MM/yyyy',
			timeFormat: details.timeFormat ?? '24h',
			tags,
			hasAgenticAILicense: false,
		},
	};
}

/**
 * The company that the path names, if the caller may see it. An existing company is not found if the header names
 * another one.
 */
function one(call: Call): Company {
	const { caller, scope, world, params } = call;
	const id = params.resourceId ?? '';
	if (id === world.foreign.companyResourceId)
		throw new Refusal(403, ['You are not authorized to act for this company.']);
	const company = found(id === caller.company.companyResourceId ? caller.company : world.company(id), 'company');
	if (!caller.reseller && company !== caller.company)
		throw new Refusal(403, ['You are not authorized to act for this company.']);
	if (scope && scope !== world.reseller && !flatten([scope]).includes(company)) throw missing('company');
	return company;
}

function licenseCheck(company: Company): Row {
	const { isNumberOfUsersLimited, numberOfUsers, targetUserCount, inactiveTargetUserCount } = company;
	return {
		isLimited: isNumberOfUsersLimited,
		licenseLimit: Number(numberOfUsers),
		activeUserCount: targetUserCount,
		totalUserCount: targetUserCount + inactiveTargetUserCount,
		isLicenseExceeded: isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers),
	};
}

/**
 * Companies as the deployment has them: the search has the contract's field names, all other operations have their own.
 */
export function companyRoutes(): Route[] {
	return [
		strictSearch('POST /api/companies/search', COMPANIES),
		strictExport('POST /api/companies/search/export', COMPANIES, 'Companies – Überblick', true),
		reading('GET /api/companies/my', mine),
		reading('GET /api/companies/{resourceId}', (call) => record(one(call), call)),
		beside(reading('GET /api/companies/{resourceId}/license-check', (call) => licenseCheck(one(call)))),
	];
}

/** The companies of a list of identifiers. @throws Refusal when one of them is not the caller's */
export function managed(ids: readonly string[], { world }: Call): Company[] {
	return ids.map((id) => {
		const company = world.company(id);
		if (!company) throw invalid(`The CompanyResourceIdArray has an unknown company: ${id}.`);
		return company;
	});
}
