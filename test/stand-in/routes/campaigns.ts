import { pick } from 'lodash';
import { z } from 'zod';
import { found, invalid, Refusal, int32 } from '../envelope';
import { beside, ok, reading, type Call, type Route, type Row, written } from '../http';
import { exported } from '../files';
import { exportOf, search, type Listing } from '../paging';
import { SIMULATORS, type Personality, type Simulator } from '../personality';
import type { Campaign } from '../seed';
import { peopleOf, sentTime, type Deed, type JobPerson } from './campaign-people';
import { campaignRow, eventRow, jobRow, jobSummary, personRow, SEARCH_TYPES } from './campaign-rows';

/** The campaigns in sight. */
export function campaignsOf(call: Call, simulator: Simulator): Campaign[] {
	return call.companies.flatMap((company) => call.world.of(company).campaigns(simulator));
}

/** A campaign that was sent has jobs: one for each instance group, all under the campaign's own id. */
export function wasSent(campaign: Campaign): boolean {
	return campaign.status !== 'Scheduled';
}

interface Job {
	campaign: Campaign;
	instanceGroup: number;
	people: JobPerson[];
}

function jobsOf(call: Call, simulator: Simulator): Job[] {
	return campaignsOf(call, simulator)
		.filter(wasSent)
		.flatMap((campaign) =>
			campaign.instanceGroups.map((instanceGroup) => ({
				campaign,
				instanceGroup,
				people: peopleOf(call.world, campaign, instanceGroup),
			})),
		);
}

const title = (simulator: Simulator): string => simulator.charAt(0).toUpperCase() + simulator.slice(1);

/** The runs of the campaign that the path names, or the one that it names. */
function asked(call: Call, simulator: Simulator): [Job, ...Job[]] {
	const { resourceId, instanceGroup = '' } = call.params;
	const [first, ...others] = jobsOf(call, simulator)
		.filter(({ campaign }) => campaign.resourceId === resourceId)
		.filter((job) => instanceGroup === '' || String(job.instanceGroup) === instanceGroup);
	return [found(first, `${title(simulator)} campaign job`), ...others];
}

function shownPerson({ user, instanceGroup, sentTime: sent, done }: JobPerson): Row {
	return {
		targetUserResourceId: user.resourceId,
		...pick(user, ['firstName', 'lastName', 'email', 'department']),
		instanceGroup,
		isOpened: done.opened.length > 0,
		isClicked: done.clicked.length > 0,
		isSubmitted: done.submitted.length > 0,
		isReported: done.reported.length > 0,
		sentTime: sent,
	};
}

// The contract names no search types, so any word that contains a known action is accepted; any other means all people.
const WORDS: ReadonlyArray<[word: RegExp, keep: (person: JobPerson) => boolean]> = [
	[/not.?open|no.?resp/i, ({ done }) => done.opened.length === 0 && done.clicked.length === 0],
	[/open/i, ({ done }) => done.opened.length > 0],
	[/click/i, ({ done }) => done.clicked.length > 0],
	[/submi/i, ({ done }) => done.submitted.length > 0],
	[/report/i, ({ done }) => done.reported.length > 0],
];

function ofSearchType(call: Call): (person: JobPerson) => boolean {
	const type = call.params.searchType ?? '';
	if (!call.isDeployed) return WORDS.find(([word]) => word.test(type))?.[1] ?? (() => true);
	const isKnown = Object.hasOwn(SEARCH_TYPES, type) && !call.options.refusedSearchTypes.includes(type);
	const keep = isKnown ? SEARCH_TYPES[type] : undefined;
	if (!keep) throw invalid(`The value '${type}' is not valid for SearchType.`);
	return keep;
}

/** Humans only, bots only, or both, as a number or a text (deployment activity 1); without it, both. */
const byActivity = {
	fields: { activityType: z.union([int32, z.string()]).nullish() },
	keep: ({ activityType }: Row, { options }: Call) => {
		const wanted = options.activityTypes === 'understood' ? written(activityType) : '';
		if (wanted === '0') return (row: Row) => !isBot(row);
		return wanted === '1' ? isBot : undefined;
	},
};

function refuseActivity(sent: Row, { isDeployed, options }: Call): void {
	if (isDeployed && options.activityTypes === 'refused' && 'activityType' in sent)
		throw invalid('The ActivityType field is not valid.');
}

const people = (simulator: Simulator, { isDeployed }: { isDeployed: boolean }): Listing => ({
	rows(call) {
		const [{ campaign, people: all }] = asked(call, simulator);
		const kept = all.filter(ofSearchType(call));
		return kept.map((person) => (call.isDeployed ? personRow(person, campaign) : shownPerson(person)));
	},
	id: isDeployed ? 'resourceId' : 'targetUserResourceId',
	name: 'email',
	text: ['email', 'firstName', 'lastName'],
	...(isDeployed ? byActivity : {}),
	before(sent, call) {
		ofSearchType(call);
		refuseActivity(sent, call);
	},
	// Whatever was asked for: the platform's own page shows it while it lists humans only.
	...(isDeployed ? { extra: (_rows, all) => ({ totalSandBoxActivityCount: all.filter(isBot).length }) } : {}),
});
const isBot = ({ activityType }: Row): boolean => /^(Bot|Sandbox)/.test(written(activityType));

/** The person in a job that the path names, by the ID of the row in the list of people; no other ID is accepted. */
function personOf(call: Call, simulator: Simulator): JobPerson {
	const all = jobsOf(call, simulator).flatMap((job) => job.people);
	const person = all.find(({ resourceId }) => resourceId === call.params.resourceId);
	if (!person) throw new Refusal(404, [`${title(simulator)} campaign instance user not found`]);
	return person;
}

/** The contract's list of those who did it in any run of a campaign. */
function doers(simulator: Simulator, deed: Deed, key: string): Route {
	return search(key, {
		rows: (call) =>
			asked(call, simulator)
				.flatMap((job) => job.people)
				.filter(({ done }) => done[deed].length > 0)
				.map(shownPerson),
		id: 'targetUserResourceId',
		name: 'email',
		text: ['email', 'firstName', 'lastName'],
	});
}

/** A live deployment's list of what one person did: in a page, or alone, although one object is described. */
function events(simulator: Simulator, deed: Deed, key: string): Route {
	const time = `${deed}Time`;
	const paged = search(key, {
		rows: (call) =>
			personOf(call, simulator).done[deed].map((each, _at, all) => eventRow(simulator, deed, each, all.length)),
		id: deed === 'submitted' || deed === 'reported' ? time : 'resourceId',
		name: time,
		...byActivity,
		before: refuseActivity,
		sorts: ['Email', 'ActivityType'],
	});
	if (simulator !== 'quishing') return paged;
	return {
		...paged,
		async handle(call) {
			const answer = await paged.handle(call);
			return 'data' in answer ? ok(z.object({ results: z.array(z.unknown()) }).parse(answer.data).results) : answer;
		},
	};
}

function summary(call: Call, simulator: Simulator): Row {
	const [{ campaign, instanceGroup, people: all }] = asked(call, simulator);
	if (call.isDeployed) return jobSummary(campaign, instanceGroup, all);
	const count = (keep: (person: JobPerson) => boolean = () => true) => all.filter(keep).length;
	const [silent, opened, clicked, submitted, reported] = WORDS.map(([, keep]) => count(keep));
	const { name, status, excludeFromReports } = campaign;
	return {
		campaignName: name,
		status,
		excludeFromReports,
		sentTime: sentTime(campaign, instanceGroup),
		sent: all.length,
		delivered: all.length,
		opened,
		clicked,
		submitted,
		reported,
		noResponse: silent,
	};
}

/** The people of a job's own Excel file; without bots unless they are asked for, and only of phishing (deployment activity, 1). */
function reported(call: Call, simulator: Simulator): Row[] {
	const [{ campaign, people: all }] = asked(call, simulator);
	const hasBots = simulator === 'phishing' && call.query.excludeBotActivity === 'false';
	return all.map((person) => personRow(person, campaign)).filter((row) => hasBots || !isBot(row));
}

function simulatorRoutes(simulator: Simulator, personality: Personality): Route[] {
	const isDeployed = personality.name === 'deployed';
	const campaign = `/api/${simulator}-simulator/${simulator}-campaign`;
	const job = `${campaign}-job-report`;
	const campaigns: Listing = {
		rows: (call) =>
			campaignsOf(call, simulator).map((each) =>
				call.isDeployed
					? campaignRow(each)
					: {
							...pick(each, ['resourceId', 'name', 'companyName', 'status', 'scenario', 'difficulty', 'createTime']),
							excludeFromReports: each.excludeFromReports,
							targetUserCount: each.userResourceIds.length,
						},
			),
		id: 'resourceId',
		name: 'name',
		required: 'all',
	};
	const jobId = personality.jobId(simulator);
	const jobs: Listing = {
		rows: (call) =>
			jobsOf(call, simulator).map(({ campaign: each, instanceGroup, people: all }) =>
				call.isDeployed
					? jobRow(each, instanceGroup, all)
					: {
							[jobId]: each.resourceId,
							instanceGroup,
							...pick(each, ['name', 'companyName', 'status']),
							sentTime: sentTime(each, instanceGroup),
							targetUserCount: each.userResourceIds.length,
						},
			),
		id: jobId,
		name: 'name',
		required: 'all',
	};
	// Deployed, Excel means xls for campaigns, and a job's CSV comes as bytes (deployment behaviour).
	const excel = isDeployed ? 'xls' : 'excel';
	const file = isDeployed ? { excel: 'xls' as const, csvType: 'application/octet-stream' } : {};
	const ofPeople = people(simulator, { isDeployed });
	const interaction = (deed: Deed): Route =>
		(isDeployed ? events : doers)(simulator, deed, `POST ${job}/search-email-${deed}/{resourceId}`);
	const sms = (deed: Deed): Route => beside(events(simulator, deed, `POST ${job}/search-sms-${deed}/{resourceId}`));
	return [
		search(`POST ${campaign}/search`, campaigns),
		exportOf(`POST ${campaign}/search/export`, campaigns, `${simulator}-campaigns`, false, { excel }),
		search(`POST ${job}/search`, jobs),
		exportOf(`POST ${job}/search/export`, jobs, `${simulator}-jobs`, false, file),
		reading(`GET ${job}/summary/{resourceId}/{instanceGroup}`, (call) => summary(call, simulator)),
		search(`POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`, ofPeople),
		interaction('opened'),
		interaction('clicked'),
		interaction('submitted'),
		...(simulator === 'smishing' ? [sms('clicked'), sms('submitted')] : []),
		...(simulator === 'smishing' ? [] : [beside(interaction('reported'))]),
		beside(
			exportOf(
				`POST ${job}/{searchType}/search/export/{resourceId}/{instanceGroup}`,
				...([ofPeople, `${simulator}-people`, false, file] as const),
			),
		),
		beside({
			key: `GET ${job}/export/{resourceId}/{instanceGroup}`,
			access: 'any',
			takes: 'nothing',
			handle: async (call) => exported(reported(call, simulator), 'excel', `${simulator}-report`),
		}),
	];
}

/** Contract 4.9, once for each simulator. */
export function campaignRoutes(personality: Personality): Route[] {
	return SIMULATORS.flatMap((simulator) => simulatorRoutes(simulator, personality));
}
