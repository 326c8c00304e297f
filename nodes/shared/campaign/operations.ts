import type { IDataObject } from 'n8n-workflow';

import { file } from '../answer/file';
import { pages, USER_SORT, DEFAULT_SORT } from '../answer/pages';
import { record } from '../answer/record';
import { excludeTestsField, withoutTests } from '../answer/tests';
import type { Filterable } from '../form/fieldFilters';
import { defineOperation } from '../operation/define';
import type { Operation } from '../operation/operation';
import { fullReport, fullReportOfPeriod } from './fullReport';
import {
	eventContract,
	eventFallbacks,
	JobUsers,
	peopleContract,
	personPicker,
	searchTypePicker,
	type UserAction,
} from './jobUsers';
import { campaignId, jobKey, jobOf, jobPicker, withJobId, type Job, type Simulator } from './simulator';

const NEWEST_FIRST = { orderBy: 'CreateTime', ascending: false };
/** The only order of jobs that every deployment accepts: a live one refuses CreateTime (deployment behaviour). */
const BY_NAME = { orderBy: 'Name', ascending: true };
const BY_EMAIL = { orderBy: 'Email', ascending: true };

/** What is of a job, with the value that 'Campaign Job' takes. */
const withJobOf = (json: IDataObject, { job }: { job: Job }): IDataObject => ({ ...json, jobId: jobKey(job) });
/** The fields of a campaign, of its job and of a person of a job (deployment shapes). */
const CAMPAIGN_FILTERABLE: Filterable = ['Name', 'CreatedBy', 'CreateTime', 'LastLaunch', 'Method', 'Status'];
const JOB_FILTERABLE: Filterable = [
	'Name',
	'CreatedBy',
	'CreatedDate',
	'Method',
	'StartDate',
	'Status',
	'TotalClickedCount',
	'TotalOpenedCount',
	'TotalSubmittedCount',
	'TotalTargetUserCount',
];
const PEOPLE_FILTERABLE: Filterable = [
	'Email',
	'ActivityType',
	'ClickedCount',
	'Department',
	'FirstName',
	'LastName',
	'OpenedCount',
	'PhoneNumber',
	'Status',
	'SubmittedCount',
];

/** The people of a job. The same person may be listed for several jobs, so rows have no identity. */
const people = () =>
	pages({ identity: [], sortable: USER_SORT, filterable: PEOPLE_FILTERABLE, defaultOrder: BY_EMAIL });

/** What a person did, in words: "clicked the link in the message". */
const deedOf = (simulator: Simulator, action: UserAction) =>
	({
		opened: 'opened the simulated message',
		clicked: simulator === 'quishing' ? 'scanned the simulated QR code' : 'clicked the simulated link',
		submitted: 'submitted data on the simulated page',
	})[action];

/** All operations of a simulator: its reports (contract 4.9), and the full reports, which combine several of them. */
export function campaignOperations(simulator: Simulator) {
	const campaign = `/api/${simulator}-simulator/${simulator}-campaign` as const;
	const job = `${campaign}-job-report` as const;
	const thing = `${simulator} campaign`;
	const Thing = thing.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

	const tests = {
		fields: { excludeTests: excludeTestsField(`Get ${Thing} Job Summary`) },
		narrow: ({ excludeTests }: { excludeTests: boolean }) => withoutTests(excludeTests),
	};

	const idOfJob = (json: IDataObject) => {
		const found = jobOf(simulator, json);
		return found && jobKey(found);
	};

	const getMany = defineOperation({
		value: 'getMany',
		name: `Get Many ${Thing}s`,
		action: `Get many ${thing}s`,
		description: `List the ${simulator} simulations of one customer or of every one`,
		contract: `POST ${campaign}/search`,
		scope: 'companies',
		owned: campaignId(simulator),
		fields: {},
		request: () => ({}),
		answer: pages({
			identity: campaignId(simulator),
			filterable: CAMPAIGN_FILTERABLE,
			defaultOrder: NEWEST_FIRST,
			...tests,
		}),
	});

	const exportMany = defineOperation({
		value: 'export',
		name: `Export ${Thing}s`,
		action: `Export ${thing}s`,
		description: `Get the list of ${simulator} simulations as a CSV or Excel file`,
		contract: `POST ${campaign}/search/export`,
		scope: 'companies',
		fields: {},
		request: () => ({}),
		answer: file({
			name: `${simulator}-campaigns`,
			sortable: DEFAULT_SORT,
			filterable: CAMPAIGN_FILTERABLE,
			defaultOrder: NEWEST_FIRST,
			countedBy: `POST ${campaign}/search`,
		}),
	});

	const getManyJobs = defineOperation({
		value: 'getManyJobs',
		name: `Get Many ${Thing} Jobs`,
		action: `Get many ${thing} jobs`,
		description: `List the jobs of ${thing}s; a campaign can have several`,
		outputNote: "Drag the field jobId of an item onto 'Campaign Job' of another operation to choose that job.",
		contract: `POST ${job}/search`,
		scope: 'companies',
		owned: idOfJob,
		fields: {},
		request: () => ({}),
		answer: pages({
			identity: idOfJob,
			filterable: JOB_FILTERABLE,
			defaultOrder: NEWEST_FIRST,
			...tests,
		}),
		output: (json) => withJobId(simulator, json),
	});

	const exportJobs = defineOperation({
		value: 'exportJobs',
		name: `Export ${Thing} Jobs`,
		action: `Export ${thing} jobs`,
		description: `Get the list of jobs of ${thing}s as a CSV or Excel file`,
		contract: `POST ${job}/search/export`,
		scope: 'companies',
		fields: {},
		request: () => ({}),
		answer: file({
			name: `${simulator}-campaign-jobs`,
			sortable: DEFAULT_SORT,
			filterable: JOB_FILTERABLE,
			defaultOrder: BY_NAME,
			countedBy: `POST ${job}/search`,
		}),
	});

	const getJobSummary = defineOperation({
		value: 'getJobSummary',
		name: `Get ${Thing} Job Summary`,
		action: `Get ${thing} job summary`,
		description:
			'Get the figures of one job: how many people it was sent to, and how many opened, clicked and submitted',
		contract: `GET ${job}/summary/{resourceId}/{instanceGroup}`,
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job: { resourceId, instanceGroup } }) => ({ path: { resourceId, instanceGroup } }),
		answer: record(),
		output: withJobOf,
	});

	const searchJobUsers: Operation = defineOperation({
		value: 'searchJobUsers',
		name: `Search ${Thing} Job Users`,
		action: `Search ${thing} job users`,
		description: 'List the people of one job: all of them, or by what they did',
		contract: peopleContract(simulator),
		scope: 'company',
		fields: { job: jobPicker(simulator), searchType: searchTypePicker() },
		request: ({ job: of, searchType }) => ({ path: { ...of, searchType: searchType.word } }),
		answer: people(),
		perform: async ({ job: of, searchType }, tools) =>
			await new JobUsers(simulator, of, tools, searchJobUsers).listOfType(searchType),
		output: withJobOf,
	});

	const whoDid = (action: UserAction, label: string) =>
		defineOperation({
			value: action,
			name: `Get Users Who ${label} in ${Thing}`,
			action: `Get users who ${action} in ${thing}`,
			description: `List the people of one job who ${deedOf(simulator, action)}, or what one of them did and when`,
			contract: eventContract(simulator, action),
			fallbackContracts: eventFallbacks(simulator, action),
			substituteContracts: [peopleContract(simulator)],
			scope: 'company',
			fields: { job: jobPicker(simulator), person: personPicker(simulator) },
			request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
			answer: people(),
			perform: async ({ job: of, person }, tools) => {
				const found = new JobUsers(simulator, of, tools, searchJobUsers);
				return await (person ? found.eventsOf(person, action) : found.listWhoDid(action));
			},
			output: withJobOf,
		});
	const steps = {
		jobs: getManyJobs,
		summary: getJobSummary,
		people: searchJobUsers,
		opened: whoDid('opened', 'Opened'),
		clicked: whoDid('clicked', 'Clicked'),
		submitted: whoDid('submitted', 'Submitted'),
	};

	return [
		steps.clicked,
		exportMany,
		exportJobs,
		fullReport(simulator, steps),
		fullReportOfPeriod(simulator, steps),
		getJobSummary,
		getMany,
		getManyJobs,
		steps.opened,
		searchJobUsers,
		steps.submitted,
	];
}
