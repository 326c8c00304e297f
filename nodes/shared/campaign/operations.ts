import { file } from '../answer/file';
import { DEFAULT_SORT, JOB_SORT, pages, USER_SORT } from '../answer/pages';
import { record } from '../answer/record';
import { filtersOf } from '../form/search';
import { defineOperation, type Operation, type PerformTools } from '../operation/operation';
import { fullReport, fullReportOfPeriod } from './fullReport';
import { launchOperations } from './launch';
import { manageOperations } from './manage';
import type { LaunchFields } from './launchFields';
import {
	ALL_PEOPLE,
	eventsEndpoint,
	eventsOf,
	peopleEndpoint,
	peopleOfType,
	peopleWho,
	PERSON,
	personPicker,
	searchTypePicker,
	type UserAction,
} from './people';
import { resendOperations } from './resend';
import { campaignId, campaignName, jobId, jobPicker, withJob, withJobId, type Job, type Simulator } from './simulator';
import { ofSimulator } from '../transport/endpoints';
import { toJson } from '../values';
import { excludeTestsField, withoutTests } from '../answer/testMark';

/** The people of a job. The same person may be listed for several jobs, so rows have no identity. */
const people = () => pages({ known: PERSON, identity: [], sortable: USER_SORT });

/** What a person did, in words: "clicked the link". */
const deedOf = (simulator: Simulator, action: UserAction) =>
	({
		opened: 'opened the message',
		clicked: simulator === 'quishing' ? 'scanned the QR code' : 'clicked the link',
		submitted: 'submitted data',
	})[action];

/**
 * All operations of a simulator: its reports (contract 4.9), the full reports, which combine several of them, and those that start
 * campaigns.
 */
export function campaignOperations(simulator: Simulator, fields: LaunchFields) {
	const thing = `${simulator} campaign`;
	const Thing = thing.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

	const tests = {
		fields: { filters: filtersOf({ excludeTests: excludeTestsField(`Get ${Thing} Job Summary`) }) },
		toRequest: ({ filters }: { filters: { excludeTests?: boolean } }) => withoutTests(filters.excludeTests ?? false),
	};

	const getMany = defineOperation({
		value: 'getMany',
		name: `Get Many ${Thing}s`,
		description: `List the ${simulator} simulations of one customer or of every one`,
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign/search'),
		scope: 'companies',
		answer: pages({
			identity: campaignId(simulator),
			...tests,
		}),
	});

	const exportMany = defineOperation({
		value: 'export',
		name: `Export ${Thing}s`,
		description: `Get the list of ${simulator} simulations as a CSV or Excel file`,
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign/search/export'),
		scope: 'companies',
		answer: file({
			name: `${simulator}-campaigns`,
			sortable: DEFAULT_SORT,
			isOnePage: true,
		}),
	});

	const getManyJobs = defineOperation({
		value: 'getManyJobs',
		name: `Get Many ${Thing} Jobs`,
		description: `List the jobs of ${thing}s; a campaign can have several`,
		outputNote: "Drag the field jobId of an item onto 'Campaign Job' of another operation to choose that job.",
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
		scope: 'companies',
		answer: pages({
			identity: (json) => jobId(simulator, json),
			sortable: JOB_SORT,
			...tests,
		}),
		output: (json) => withJobId(simulator, json),
	});

	const exportJobs = defineOperation({
		value: 'exportJobs',
		name: `Export ${Thing} Jobs`,
		description: `Get the list of jobs of ${thing}s as a CSV or Excel file`,
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search/export'),
		scope: 'companies',
		answer: file({
			name: `${simulator}-campaign-jobs`,
			sortable: { Name: 'Name' },
			isOnePage: true,
		}),
	});

	const getJobSummary = defineOperation({
		value: 'getJobSummary',
		name: `Get ${Thing} Job Summary`,
		description:
			'Get the figures of one job: how many people it was sent to, and how many opened, clicked and submitted',
		endpoint: ofSimulator(
			simulator,
			'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job: { resourceId, instanceGroup } }) => ({ path: { resourceId, instanceGroup } }),
		answer: record(),
		output: withJob,
	});

	const searchJobUsers: Operation = defineOperation({
		value: 'searchJobUsers',
		name: `Search ${Thing} Job Users`,
		description: 'List the people of one job: all of them, or by what they did',
		endpoint: peopleEndpoint(simulator),
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersOf({ searchType: searchTypePicker() }) },
		request: ({ job: of, filters: { searchType = ALL_PEOPLE } }) => ({ path: { ...of, searchType } }),
		answer: people(),
		perform: async ({ job: of, filters: { searchType = ALL_PEOPLE } }, { send }) =>
			await peopleOfType(simulator, of, searchType, send),
		output: withJob,
	});

	const whoDid = (action: UserAction, label: string) =>
		defineOperation({
			value: action,
			name: `Get Users Who ${label} in ${Thing}`,
			description: `List who ${deedOf(simulator, action)} in one job; for every customer: Get Full ${Thing} Reports of Period`,
			endpoint: eventsEndpoint(simulator, action),
			substitutes: [peopleEndpoint(simulator)],
			scope: 'company',
			fields: { job: jobPicker(simulator), filters: filtersOf({ person: personPicker(simulator) }) },
			request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
			answer: people(),
			perform: async ({ job: of, filters: { person } }, tools) => {
				const found = await (person ? eventsOf(person, tools.send) : peopleWho(simulator, of, action, tools.send));
				const name = found.length > 0 ? await campaignNameOf(of, getJobSummary, tools) : undefined;
				// The events of one person do not say whose they are.
				const did = person ? { personResourceId: person.id } : { [action]: true };
				return found.map(({ json, ...each }) => ({ ...each, json: { campaignName: name ?? null, ...json, ...did } }));
			},
			output: withJob,
		});
	const [opened, clicked, submitted] = [
		whoDid('opened', 'Opened'),
		whoDid('clicked', 'Clicked'),
		whoDid('submitted', 'Submitted'),
	];
	const uses = { jobs: getManyJobs, summary: getJobSummary, people: searchJobUsers };
	return [
		clicked,
		exportMany,
		exportJobs,
		fullReport(simulator, uses),
		fullReportOfPeriod(simulator, uses),
		getJobSummary,
		getMany,
		getManyJobs,
		...launchOperations(simulator, getMany, fields),
		...manageOperations(simulator),
		opened,
		...resendOperations(simulator, searchJobUsers),
		searchJobUsers,
		submitted,
	];
}

/** The name of a job's campaign, which the rows of its people lack. @returns undefined if it cannot be read */
const campaignNameOf = async ({ resourceId, instanceGroup }: Job, summary: Operation, { ask }: PerformTools) =>
	await ask(summary, { path: { resourceId, instanceGroup } }).then(
		({ data }) => campaignName(toJson(data)),
		// The people are found already, and a run that was stopped ends by itself.
		() => undefined,
	);
