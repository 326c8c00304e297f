import { z } from 'zod';
import { found, invalid, Refusal } from '../envelope';
import { beside, ok, reading, type Call, type Route, type Row } from '../http';
import type { Listing } from '../paging';
import { SIMULATORS, type Simulator } from '../personality';
import { campaignsOf, sentTime, wasSent } from '../routes/campaigns';
import type { Campaign } from '../seed';
import { eventRow, personRow } from './campaign-rows';
import { jobSummary } from './campaign-summary';
import { peopleOf, type Deed, type JobPerson } from './jobs';
import { customFieldValues, strictExport, strictSearch, type StrictListing } from './lists';

// The only search types of the deployment; it has none for people who submitted.
const SEARCH_TYPES: Record<string, (person: JobPerson) => boolean> = {
	All: () => true,
	Opened: ({ done }) => done.opened.length > 0,
	Clicked: ({ done }) => done.clicked.length > 0,
	NoResponse: ({ done }) => Object.values(done).every((list) => list.length === 0),
	Reported: ({ done }) => done.reported.length > 0,
	AttachmentOpened: ({ done }) => done.attachmentOpened.length > 0,
	Replied: ({ done }) => done.replied.length > 0,
};

const title = (simulator: Simulator): string => simulator.charAt(0).toUpperCase() + simulator.slice(1);

function campaignRow({
	resourceId,
	name,
	simulator,
	scenario,
	difficulty,
	status,
	createTime,
	...campaign
}: Campaign): Row {
	return {
		...{
			resourceId,
			name,
			method: 'Click-Only',
			methodDetail: `${scenario}, ${difficulty}`,
			scenarioCount: '1',
			instanceCount: String(campaign.instanceGroups.length),
		},
		...{
			targetUsers: String(campaign.userResourceIds.length),
			status,
			instanceGroup: campaign.instanceGroups.at(-1) ?? 1,
			jobResultMessage: null,
		},
		...{
			createdBy: 'admin@awareness.example',
			createTime,
			lastLaunch: ['Idle', 'Scheduled'].includes(status) ? null : createTime,
			emailDelivery: simulator === 'smishing' ? 'SMS' : 'SMTP',
			frequency: 1,
		},
		...(simulator === 'phishing' ? { hasTraining: false, categoryDistributionType: 'None' } : {}),
		...(simulator === 'quishing' ? { templateType: 'Email' } : {}),
	};
}

function jobRow(campaign: Campaign, instanceGroup: number, call: Call): Row {
	const { resourceId, name, simulator, scenario, difficulty, status } = campaign;
	const people = peopleOf(call.world, campaign, instanceGroup);
	const count = (type: string) => people.filter(SEARCH_TYPES[type] ?? (() => false)).length;
	const sms = simulator === 'smishing';
	const first = people[0]?.user;
	return {
		...{
			[`${simulator}CampaignResourceId`]: resourceId,
			instanceGroup,
			name,
			startDate: sentTime(campaign, instanceGroup),
		},
		...{
			totalOpenedCount: count('Opened'),
			totalClickedCount: count('Clicked'),
			totalSubmittedCount: people.filter(({ done }) => done.submitted.length > 0).length,
		},
		...{
			totalAttachmentOpenedCount: count('AttachmentOpened'),
			totalNoResponseCount: count('NoResponse'),
			totalTargetUserCount: people.length,
		},
		...{
			[sms ? 'smsDeliveredUserCount' : 'emailDeliveredUserCount']: people.length,
			method: 'Click-Only',
			methodDetail: `${scenario}, ${difficulty}`,
		},
		...{
			status,
			jobResultMessage: null,
			createdBy: 'admin@awareness.example',
			createdDate: campaign.createTime,
			[sms ? 'smsDelivery' : 'emailDelivery']: sms ? 'SMS' : 'SMTP',
		},
		...(simulator === 'phishing'
			? { totalSubmittedMFACount: 0 }
			: { targetUserId: 0, customFieldValues: first ? customFieldValues(first) : [] }),
	};
}

interface Job {
	campaign: Campaign;
	instanceGroup: number;
}

function jobsOf(call: Call, simulator: Simulator): Job[] {
	return campaignsOf(call, simulator)
		.filter(wasSent)
		.flatMap((campaign) => campaign.instanceGroups.map((instanceGroup) => ({ campaign, instanceGroup })));
}

/** The job that the path names. */
function jobOf(call: Call, simulator: Simulator): Job {
	const { resourceId, instanceGroup } = call.params;
	return found(
		jobsOf(call, simulator).find(
			(job) => job.campaign.resourceId === resourceId && String(job.instanceGroup) === instanceGroup,
		),
		`${title(simulator)} campaign job`,
	);
}

/** The person in a job that the path names, by the ID of the row in the list of people; no other ID is accepted. */
function personOf(call: Call, simulator: Simulator): JobPerson {
	for (const { campaign, instanceGroup } of jobsOf(call, simulator)) {
		const person = peopleOf(call.world, campaign, instanceGroup).find(
			({ resourceId }) => resourceId === call.params.resourceId,
		);
		if (person) return person;
	}
	throw new Refusal(404, [`${title(simulator)} campaign instance user not found`]);
}

const activityType = { activityType: z.string().nullish() };
const byActivity: Listing['keep'] = ({ activityType: wanted }) =>
	typeof wanted === 'string' && wanted !== '' ? (row) => row.activityType === wanted : undefined;

function people(simulator: Simulator): StrictListing {
	return {
		rows(call) {
			const { campaign, instanceGroup } = jobOf(call, simulator);
			const keep = SEARCH_TYPES[call.params.searchType ?? ''] ?? (() => false);
			return peopleOf(call.world, campaign, instanceGroup)
				.filter(keep)
				.map((person) => personRow(simulator, person, campaign));
		},
		id: 'resourceId',
		name: 'email',
		required: simulator === 'phishing' ? 'all' : 'none',
		filter: simulator === 'phishing' ? 'required' : 'optional',
		text: ['email', 'firstName', 'lastName'],
		fields: activityType,
		keep: byActivity,
		before(_sent, call) {
			if (!Object.hasOwn(SEARCH_TYPES, call.params.searchType ?? ''))
				throw invalid(`The value '${call.params.searchType}' is not valid for SearchType.`);
		},
		extra: (matching) => ({ totalSandBoxActivityCount: matching.filter((row) => row.activityType === 'Bot').length }),
		sorts: [
			...[
				'Email',
				'FirstName',
				'LastName',
				'Department',
				'PhoneNumber',
				'Status',
				'LastSendingTime',
				'ActivityType',
				'ClickedCount',
				'LastClickedTime',
				'SubmittedCount',
			],
			...['LastSubmittedTime', 'ReportedCount', ...(simulator === 'smishing' ? [] : ['OpenedCount', 'LastOpenedTime'])],
		],
	};
}

/** In which form each simulator lists the events of a person. The description shows one object for all of them. */
const FORMS: Record<Simulator, 'paged' | 'array'> = { phishing: 'paged', smishing: 'paged', quishing: 'array' };

function events(simulator: Simulator, deed: Deed, path: string): Route {
	const listing: StrictListing = {
		rows: (call) =>
			personOf(call, simulator).done[deed].map((activity, _at, all) => eventRow(simulator, deed, activity, all.length)),
		id: deed === 'submitted' || deed === 'reported' ? `${deed}Time` : 'resourceId',
		name: `${deed}Time`,
		required: simulator === 'phishing' ? 'all' : 'none',
		filter: simulator === 'phishing' ? 'required' : 'optional',
		fields: activityType,
		keep: byActivity,
		sorts: ['Email', `${deed}Time`, 'ActivityType', 'BrowserName', 'UserGeolocation'],
	};
	const paged = strictSearch(path, listing);
	return {
		...paged,
		async handle(call) {
			const answer = await paged.handle(call);
			if (FORMS[simulator] === 'paged' || !('data' in answer)) return answer;
			return ok(resultsOf.parse(answer.data).results);
		},
	};
}

const resultsOf = z.object({ results: z.array(z.unknown()) });

function simulatorRoutes(simulator: Simulator): Route[] {
	const campaign = `/api/${simulator}-simulator/${simulator}-campaign`;
	const job = `${campaign}-job-report`;
	const strict = simulator === 'phishing';
	const bodies = { required: strict ? 'all' : 'none', filter: strict ? 'required' : 'optional' } as const;
	const campaigns: StrictListing = {
		rows: (call) => campaignsOf(call, simulator).map(campaignRow),
		id: 'resourceId',
		name: 'name',
		...bodies,
		sorts: [
			'Name',
			'Method',
			'Status',
			'InstanceGroup',
			'CreatedBy',
			'CreateTime',
			'LastLaunch',
			'EmailDelivery',
			'Frequency',
		],
	};
	const jobs: StrictListing = {
		rows: (call) => jobsOf(call, simulator).map((each) => jobRow(each.campaign, each.instanceGroup, call)),
		id: `${simulator}CampaignResourceId`,
		name: 'name',
		...bodies,
		// Only campaigns can be sorted by CreateTime.
		sorts: [
			'Name',
			'StartDate',
			'InstanceGroup',
			'TotalOpenedCount',
			'TotalClickedCount',
			'TotalSubmittedCount',
			'TotalTargetUserCount',
			'Method',
			'Status',
			'CreatedBy',
			'CreatedDate',
		],
	};
	const file = { excel: 'xls', csvType: 'application/octet-stream' } as const;
	const channel = simulator === 'smishing' ? 'sms' : 'email';
	const interaction = (deed: Deed): Route =>
		events(simulator, deed, `POST ${job}/search-${channel}-${deed}/{resourceId}`);
	const both = [interaction('clicked'), interaction('submitted')];
	return [
		strictSearch(`POST ${campaign}/search`, campaigns),
		strictExport(`POST ${campaign}/search/export`, campaigns, `${simulator}-campaigns`, false, { excel: 'xls' }),
		strictSearch(`POST ${job}/search`, jobs),
		strictExport(`POST ${job}/search/export`, jobs, `${simulator}-jobs`, false, file),
		reading(`GET ${job}/summary/{resourceId}/{instanceGroup}`, (call) => {
			const { campaign: of, instanceGroup } = jobOf(call, simulator);
			return jobSummary(of, instanceGroup, peopleOf(call.world, of, instanceGroup));
		}),
		strictSearch(`POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`, people(simulator)),
		...(simulator === 'smishing' ? both.map(beside) : [interaction('opened'), ...both]),
		...(strict
			? [
					beside(interaction('reported')),
					beside(
						strictExport(
							`POST ${job}/{searchType}/search/export/{resourceId}/{instanceGroup}`,
							people(simulator),
							'phishing-people',
							false,
							file,
						),
					),
				]
			: []),
	];
}

/** Campaign reports of the three simulators. */
export function campaignRoutes(): Route[] {
	return SIMULATORS.flatMap(simulatorRoutes);
}
