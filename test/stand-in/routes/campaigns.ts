import { found } from '../envelope';
import { ok, type Call, type Route, type Row } from '../http';
import { exportOf, search, type Listing } from '../paging';
import { SIMULATORS, type Personality, type Simulator } from '../personality';
import { seeded } from '../random';
import type { Campaign, TargetUser } from '../seed';

interface Recipient {
	user: TargetUser;
	instanceGroup: number;
	opened: boolean;
	clicked: boolean;
	submitted: boolean;
	reported: boolean;
	sentTime: string;
}

/** The campaigns in sight. */
export function campaignsOf(call: Call, simulator: Simulator): Campaign[] {
	return call.companies.flatMap((company) => call.world.of(company).campaigns(simulator));
}

/** A campaign that was sent has jobs: one for each instance group, all under the campaign's own id. */
export function wasSent(campaign: Campaign): boolean {
	return campaign.status !== 'Scheduled';
}

/** When a run of it was sent. */
export function sentTime(campaign: Campaign, instanceGroup: number): string {
	return new Date(Date.parse(campaign.createTime) + instanceGroup * 86_400_000).toISOString();
}

/** What the people of a job did; a click means that it was opened, a submission that it was clicked. */
function recipientsOf(call: Call, campaign: Campaign, instanceGroup: number): Recipient[] {
	if (campaign.people) {
		return campaign.people.map((behaviour) => ({
			...behaviour,
			instanceGroup,
			reported: false,
			sentTime: sentTime(campaign, instanceGroup),
		}));
	}
	const company = call.world.company(campaign.companyResourceId) ?? call.world.reseller;
	const users = call.world.of(company).users.filter((user) => campaign.userResourceIds.includes(user.resourceId));
	return users.map((user) => {
		const next = seeded(`${campaign.resourceId} ${instanceGroup} ${user.resourceId}`);
		const depth = next();
		return {
			user,
			instanceGroup,
			opened: depth > 0.35,
			clicked: depth > 0.6,
			submitted: depth > 0.8,
			reported: next() > 0.7,
			sentTime: sentTime(campaign, instanceGroup),
		};
	});
}

function jobOf(call: Call, simulator: Simulator): { campaign: Campaign; recipients: Recipient[] } {
	const campaign = found(
		campaignsOf(call, simulator).find((entry) => entry.resourceId === call.params.resourceId && wasSent(entry)),
		'campaign job',
	);
	const asked = call.params.instanceGroup;
	if (asked === undefined)
		return { campaign, recipients: campaign.instanceGroups.flatMap((group) => recipientsOf(call, campaign, group)) };
	const instanceGroup = found(
		campaign.instanceGroups.find((group) => String(group) === asked),
		'campaign job',
	);
	return { campaign, recipients: recipientsOf(call, campaign, instanceGroup) };
}

function shownRecipient({ user, instanceGroup, opened, clicked, submitted, reported, sentTime: sent }: Recipient): Row {
	const { resourceId, firstName, lastName, email, department } = user;
	return {
		targetUserResourceId: resourceId,
		firstName,
		lastName,
		email,
		department,
		instanceGroup,
		isOpened: opened,
		isClicked: clicked,
		isSubmitted: submitted,
		isReported: reported,
		sentTime: sent,
	};
}

function people(simulator: Simulator, keep: (recipient: Recipient, call: Call) => boolean): Listing {
	return {
		rows: (call) =>
			jobOf(call, simulator)
				.recipients.filter((recipient) => keep(recipient, call))
				.map(shownRecipient),
		id: 'targetUserResourceId',
		name: 'email',
		required: 'none',
		filter: 'optional',
		text: ['email', 'firstName', 'lastName'],
	};
}

// The contract names no search types, so any word that contains a known action is accepted; any other means all people.
const SEARCH_TYPES: ReadonlyArray<[word: RegExp, keep: (recipient: Recipient) => boolean]> = [
	[/not.?open|no.?resp/i, (recipient) => !recipient.opened && !recipient.clicked],
	[/open/i, (recipient) => recipient.opened],
	[/click/i, (recipient) => recipient.clicked],
	[/submi/i, (recipient) => recipient.submitted],
	[/report/i, (recipient) => recipient.reported],
];

function ofSearchType(recipient: Recipient, call: Call): boolean {
	const type = call.params.searchType ?? '';
	return SEARCH_TYPES.find(([word]) => word.test(type))?.[1](recipient) ?? true;
}

function simulatorRoutes(simulator: Simulator, personality: Personality): Route[] {
	const campaign = `/api/${simulator}-simulator/${simulator}-campaign`;
	const job = `${campaign}-job-report`;
	const campaigns: Listing = {
		rows: (call) =>
			campaignsOf(call, simulator).map(
				({
					resourceId,
					name,
					companyName,
					status,
					scenario,
					difficulty,
					createTime,
					excludeFromReports,
					userResourceIds,
				}) => ({
					...{ resourceId, name, companyName, status, scenario, difficulty, createTime, excludeFromReports },
					targetUserCount: userResourceIds.length,
				}),
			),
		id: 'resourceId',
		name: 'name',
		required: 'all',
		filter: 'optional',
	};
	const jobs: Listing = {
		rows: (call) =>
			campaignsOf(call, simulator)
				.filter(wasSent)
				.flatMap((entry) =>
					entry.instanceGroups.map((instanceGroup) => ({
						[personality.jobId(simulator)]: entry.resourceId,
						instanceGroup,
						name: entry.name,
						companyName: entry.companyName,
						status: entry.status,
						sentTime: sentTime(entry, instanceGroup),
						targetUserCount: entry.userResourceIds.length,
					})),
				),
		id: personality.jobId(simulator),
		name: 'name',
		required: 'all',
		filter: 'optional',
	};
	const interaction = (verb: 'opened' | 'clicked' | 'submitted'): Route => {
		const path = `${job}/search-email-${verb}/{resourceId}`;
		const also =
			simulator === 'smishing' && personality.smsSearches && verb !== 'opened'
				? [path, path.replace('search-email', 'search-sms')]
				: undefined;
		return search(
			`POST ${path}`,
			people(simulator, (recipient) => recipient[verb]),
			also,
		);
	};
	return [
		search(`POST ${campaign}/search`, campaigns),
		exportOf(`POST ${campaign}/search/export`, campaigns, `${simulator}-campaigns`, false),
		search(`POST ${job}/search`, jobs),
		exportOf(`POST ${job}/search/export`, jobs, `${simulator}-jobs`, false),
		{
			key: `GET ${job}/summary/{resourceId}/{instanceGroup}`,
			access: 'any',
			takes: 'nothing',
			handle(call) {
				const { campaign: of, recipients } = jobOf(call, simulator);
				const count = (test: (recipient: Recipient) => boolean) => recipients.filter(test).length;
				return ok({
					campaignName: of.name,
					status: of.status,
					excludeFromReports: of.excludeFromReports,
					sent: recipients.length,
					opened: count((recipient) => recipient.opened),
					clicked: count((recipient) => recipient.clicked),
					submitted: count((recipient) => recipient.submitted),
					reported: count((recipient) => recipient.reported),
					noResponse: count((recipient) => !recipient.opened && !recipient.clicked),
				});
			},
		},
		search(`POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`, people(simulator, ofSearchType)),
		interaction('opened'),
		interaction('clicked'),
		interaction('submitted'),
	];
}

/** Contract 4.9, once for each simulator. */
export function campaignRoutes(personality: Personality): Route[] {
	return SIMULATORS.flatMap((simulator) => simulatorRoutes(simulator, personality));
}
