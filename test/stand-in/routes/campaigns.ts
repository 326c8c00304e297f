import { pick } from 'lodash';
import { z } from 'zod';
import { requireFound, createBadRequestError, HttpError, int32Schema } from '../envelope';
import {
	markOutsideContract,
	okResponse,
	defineReadRoute,
	type RouteCall,
	type Route,
	type JsonObject,
	formatValue,
} from '../http';
import { exportResponse } from '../files';
import { defineExportRoute, defineSearchRoute, type ExportFileOptions, type ListDefinition } from '../paging';
import { SIMULATORS, type PlatformProfile, type Simulator } from '../profile';
import type { Campaign } from '../seed';
import { getJobPeople, getSentTime, type UserAction, type JobPerson } from './campaign-people';
import {
	buildCampaignRow,
	buildEventRow,
	buildJobRow,
	buildJobSummary,
	buildPersonRow,
	SEARCH_TYPES,
} from './campaign-rows';

/** Lists the campaigns that a call can see. */
export function listCampaigns(call: RouteCall, simulator: Simulator): Campaign[] {
	return call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).getCampaigns(simulator));
}

/**
 * Returns true if a campaign was sent. It then has one job for each instance group. All its jobs have the campaign's ID.
 */
export function wasSent(campaign: Campaign): boolean {
	return campaign.status !== 'Scheduled';
}

interface Job {
	campaign: Campaign;
	instanceGroup: number;
	people: JobPerson[];
}

function listJobs(call: RouteCall, simulator: Simulator): Job[] {
	return listCampaigns(call, simulator)
		.filter(wasSent)
		.flatMap((campaign) =>
			campaign.instanceGroups.map((instanceGroup) => ({
				campaign,
				instanceGroup,
				people: getJobPeople(call.world, campaign, instanceGroup),
			})),
		);
}

function capitalize(simulator: Simulator): string {
	return simulator.charAt(0).toUpperCase() + simulator.slice(1);
}

/**
 * Finds the jobs of the campaign whose ID is in the path. If the path also contains an instance group, it finds only
 * the job of this group.
 * @throws HttpError 404 if there is none
 */
function findJobs(call: RouteCall, simulator: Simulator): [Job, ...Job[]] {
	const { resourceId, instanceGroup = '' } = call.params;
	const [firstJob, ...otherJobs] = listJobs(call, simulator)
		.filter(({ campaign }) => campaign.resourceId === resourceId)
		.filter((job) => instanceGroup === '' || String(job.instanceGroup) === instanceGroup);
	return [requireFound(firstJob, `${capitalize(simulator)} campaign job`), ...otherJobs];
}

function buildContractPersonRow({ user, instanceGroup, sentTime, activities }: JobPerson): JsonObject {
	return {
		targetUserResourceId: user.resourceId,
		...pick(user, ['firstName', 'lastName', 'email', 'department']),
		instanceGroup,
		isOpened: activities.opened.length > 0,
		isClicked: activities.clicked.length > 0,
		isSubmitted: activities.submitted.length > 0,
		isReported: activities.reported.length > 0,
		sentTime,
	};
}

function hasNotResponded({ activities }: JobPerson): boolean {
	return activities.opened.length === 0 && activities.clicked.length === 0;
}

// The contract names no search types. A text that contains one of these words selects people by their action. Any other
// text selects everyone.
const SEARCH_TYPE_PATTERNS: ReadonlyArray<[pattern: RegExp, isKept: (person: JobPerson) => boolean]> = [
	[/not.?open|no.?resp/i, hasNotResponded],
	[/open/i, ({ activities }) => activities.opened.length > 0],
	[/click/i, ({ activities }) => activities.clicked.length > 0],
	[/submi/i, ({ activities }) => activities.submitted.length > 0],
	[/report/i, ({ activities }) => activities.reported.length > 0],
];

function getSearchTypePredicate(call: RouteCall): (person: JobPerson) => boolean {
	const type = call.params.searchType ?? '';
	if (!call.isDeployed) return SEARCH_TYPE_PATTERNS.find(([pattern]) => pattern.test(type))?.[1] ?? (() => true);
	const isKnown = Object.hasOwn(SEARCH_TYPES, type) && !call.options.rejectedSearchTypes.includes(type);
	const isKept = isKnown ? SEARCH_TYPES[type] : undefined;
	if (!isKept) throw createBadRequestError(`The value '${type}' is not valid for SearchType.`);
	return isKept;
}

/**
 * The support for activityType in a search body: 0 selects humans and 1 selects bots, as a number or a text (deployment
 * activity 1). Without it, the search returns both.
 */
const ACTIVITY_TYPE_SUPPORT: Pick<ListDefinition, 'extraBodyFields' | 'createRowFilter'> = {
	extraBodyFields: { activityType: z.union([int32Schema, z.string()]).nullish() },
	createRowFilter({ activityType }, { options }) {
		const activityTypeText = options.activityTypeSupport === 'understood' ? formatValue(activityType) : '';
		if (activityTypeText === '0') return (row) => !isBotRow(row);
		return activityTypeText === '1' ? isBotRow : undefined;
	},
};

function rejectActivityType(body: JsonObject, { isDeployed, options }: RouteCall): void {
	if (isDeployed && options.activityTypeSupport === 'refused' && 'activityType' in body)
		throw createBadRequestError('The ActivityType field is not valid.');
}

function definePeopleList(simulator: Simulator, isDeployed: boolean): ListDefinition {
	const list: ListDefinition = {
		getRows(call) {
			const [{ campaign, people: jobPeople }] = findJobs(call, simulator);
			const matchingPeople = jobPeople.filter(getSearchTypePredicate(call));
			return matchingPeople.map((person) =>
				call.isDeployed ? buildPersonRow(person, campaign) : buildContractPersonRow(person),
			);
		},
		idField: isDeployed ? 'resourceId' : 'targetUserResourceId',
		nameField: 'email',
		textFields: ['email', 'firstName', 'lastName'],
		checkBody(body, call) {
			getSearchTypePredicate(call);
			rejectActivityType(body, call);
		},
	};
	if (!isDeployed) return list;
	return {
		...list,
		...ACTIVITY_TYPE_SUPPORT,
		// The count does not depend on the filter, because the platform's own page shows it above a list of humans.
		getExtraPageFields: (_matchingRows, allRows) => ({ totalSandBoxActivityCount: allRows.filter(isBotRow).length }),
	};
}

function isBotRow({ activityType }: JsonObject): boolean {
	return /^(Bot|Sandbox)/.test(formatValue(activityType));
}

/**
 * Finds the person whose ID is in the path. It must be the ID of a row in a job's list of people, not that of the user.
 * @throws HttpError 404
 */
function findPerson(call: RouteCall, simulator: Simulator): JobPerson {
	const people = listJobs(call, simulator).flatMap((job) => job.people);
	const person = people.find(({ resourceId }) => resourceId === call.params.resourceId);
	if (!person) throw new HttpError(404, [`${capitalize(simulator)} campaign instance user not found`]);
	return person;
}

/** Defines a search of the contract for the people who performed an action in any job of a campaign. */
function defineContractActionSearch(simulator: Simulator, action: UserAction, key: string): Route {
	return defineSearchRoute(key, {
		getRows: (call) =>
			findJobs(call, simulator)
				.flatMap((job) => job.people)
				.filter(({ activities }) => activities[action].length > 0)
				.map(buildContractPersonRow),
		idField: 'targetUserResourceId',
		nameField: 'email',
		textFields: ['email', 'firstName', 'lastName'],
	});
}

/**
 * Defines a search of live deployments for the events of one person that have a certain action. For quishing, the
 * response is a list without pages, although the documents describe one object.
 */
function defineEventSearch(simulator: Simulator, action: UserAction, key: string): Route {
	const timeField = `${action}Time`;
	const pagedRoute = defineSearchRoute(key, {
		getRows: (call) =>
			findPerson(call, simulator).activities[action].map((activity, _index, activities) =>
				buildEventRow(simulator, action, activity, activities.length),
			),
		idField: action === 'submitted' || action === 'reported' ? timeField : 'resourceId',
		nameField: timeField,
		...ACTIVITY_TYPE_SUPPORT,
		checkBody: rejectActivityType,
		extraSortNames: ['Email', 'ActivityType'],
	});
	if (simulator !== 'quishing') return pagedRoute;
	return {
		...pagedRoute,
		async handle(call) {
			const response = await pagedRoute.handle(call);
			if (!('data' in response)) return response;
			return okResponse(z.object({ results: z.array(z.unknown()) }).parse(response.data).results);
		},
	};
}

function buildSummary(call: RouteCall, simulator: Simulator): JsonObject {
	const [{ campaign, instanceGroup, people }] = findJobs(call, simulator);
	if (call.isDeployed) return buildJobSummary(campaign, instanceGroup, people);
	const countAction = (action: UserAction) => people.filter(({ activities }) => activities[action].length > 0).length;
	const { name, status, excludeFromReports } = campaign;
	return {
		campaignName: name,
		status,
		excludeFromReports,
		sentTime: getSentTime(campaign, instanceGroup),
		sent: people.length,
		delivered: people.length,
		opened: countAction('opened'),
		clicked: countAction('clicked'),
		submitted: countAction('submitted'),
		reported: countAction('reported'),
		noResponse: people.filter(hasNotResponded).length,
	};
}

/**
 * Lists the rows of a job's report file. Bots are included only for phishing, and only if the query asks for them
 * (deployment activity 1).
 */
function listReportRows(call: RouteCall, simulator: Simulator): JsonObject[] {
	const [{ campaign, people }] = findJobs(call, simulator);
	const shouldIncludeBots = simulator === 'phishing' && call.query.excludeBotActivity === 'false';
	return people.map((person) => buildPersonRow(person, campaign)).filter((row) => shouldIncludeBots || !isBotRow(row));
}

function simulatorRoutes(simulator: Simulator, profile: PlatformProfile): Route[] {
	const isDeployed = profile.name === 'deployed';
	const campaignPath = `/api/${simulator}-simulator/${simulator}-campaign`;
	const reportPath = `${campaignPath}-job-report`;
	const campaignList: ListDefinition = {
		getRows: (call) =>
			listCampaigns(call, simulator).map((campaign) =>
				call.isDeployed
					? buildCampaignRow(campaign)
					: {
							...pick(campaign, [
								'resourceId',
								'name',
								'companyName',
								'status',
								'scenario',
								'difficulty',
								'createTime',
							]),
							excludeFromReports: campaign.excludeFromReports,
							targetUserCount: campaign.userResourceIds.length,
						},
			),
		idField: 'resourceId',
		nameField: 'name',
		requiredPaging: 'all',
	};
	const jobIdField = profile.getJobIdField(simulator);
	const jobList: ListDefinition = {
		getRows: (call) =>
			listJobs(call, simulator).map(({ campaign, instanceGroup, people }) =>
				call.isDeployed
					? buildJobRow(campaign, instanceGroup, people)
					: {
							[jobIdField]: campaign.resourceId,
							instanceGroup,
							...pick(campaign, ['name', 'companyName', 'status']),
							sentTime: getSentTime(campaign, instanceGroup),
							targetUserCount: campaign.userResourceIds.length,
						},
			),
		idField: jobIdField,
		nameField: 'name',
		requiredPaging: 'all',
	};
	// Live deployments send campaigns and jobs as xls files if Excel is requested. The CSV of a job has the content type of
	// binary data (deployment behaviour, "Exports").
	const campaignExportOptions: ExportFileOptions = { excelFormat: isDeployed ? 'xls' : 'excel' };
	const jobExportOptions: ExportFileOptions = isDeployed
		? { excelFormat: 'xls', csvMimeType: 'application/octet-stream' }
		: {};
	const peopleList = definePeopleList(simulator, isDeployed);
	const defineActionSearch = (action: UserAction): Route => {
		const key = `POST ${reportPath}/search-email-${action}/{resourceId}`;
		return isDeployed ? defineEventSearch(simulator, action, key) : defineContractActionSearch(simulator, action, key);
	};
	const defineSmsActionSearch = (action: UserAction): Route =>
		markOutsideContract(defineEventSearch(simulator, action, `POST ${reportPath}/search-sms-${action}/{resourceId}`));
	const extraActionSearches =
		simulator === 'smishing'
			? [defineSmsActionSearch('clicked'), defineSmsActionSearch('submitted')]
			: [markOutsideContract(defineActionSearch('reported'))];
	return [
		defineSearchRoute(`POST ${campaignPath}/search`, campaignList),
		defineExportRoute(
			`POST ${campaignPath}/search/export`,
			campaignList,
			`${simulator}-campaigns`,
			false,
			campaignExportOptions,
		),
		defineSearchRoute(`POST ${reportPath}/search`, jobList),
		defineExportRoute(`POST ${reportPath}/search/export`, jobList, `${simulator}-jobs`, false, jobExportOptions),
		defineReadRoute(`GET ${reportPath}/summary/{resourceId}/{instanceGroup}`, (call) => buildSummary(call, simulator)),
		defineSearchRoute(`POST ${reportPath}/{searchType}/search/{resourceId}/{instanceGroup}`, peopleList),
		defineActionSearch('opened'),
		defineActionSearch('clicked'),
		defineActionSearch('submitted'),
		...extraActionSearches,
		markOutsideContract(
			defineExportRoute(
				`POST ${reportPath}/{searchType}/search/export/{resourceId}/{instanceGroup}`,
				peopleList,
				`${simulator}-people`,
				false,
				jobExportOptions,
			),
		),
		markOutsideContract({
			key: `GET ${reportPath}/export/{resourceId}/{instanceGroup}`,
			access: 'any',
			bodyType: 'nothing',
			handle: (call) => exportResponse(listReportRows(call, simulator), 'excel', `${simulator}-report`),
		}),
	];
}

/** Creates the routes of contract 4.9 for each simulator, and those that live deployments add. */
export function campaignRoutes(profile: PlatformProfile): Route[] {
	return SIMULATORS.flatMap((simulator) => simulatorRoutes(simulator, profile));
}
