import { file } from '../../core/response/fileResponse';
import { DEFAULT_SORT, JOB_SORT, pages } from '../../core/response/listResponse';
import { record } from '../../core/response/recordResponse';
import { filtersOf } from '../../core/filters/filterFields';
import { defineOperation, type Operation } from '../../core/operation/defineOperation';
import { fullReport, fullReportOfPeriod } from './fullReport';
import { launchOperations } from './launchOperations';
import { manageOperations } from './manageOperations';
import { campaignFields, JOB_FIGURES, jobFields, withJobFigures } from './jobFigures';
import { botFields, botFilter, withoutBots } from './bots';
import { ALL_PEOPLE, people, peopleEndpoint, peopleOfType, searchTypePicker } from './people';
import { campaignId, jobId, jobPicker, titleOf, whoDidInPeriod, withJob, withJobId, type Simulator } from './simulator';
import { ofSimulator } from '../../core/api/endpoints';
import { whoDidOperations } from './whoDid';
import { resendOperations } from './resendOperations';
import { excludeTestsField, withoutTests } from '../testRecords';

/**
 * All operations of a simulator: its reports (contract 4.9), the full reports, which combine several of them, and those that start
 * campaigns.
 */
export function campaignOperations(simulator: Simulator) {
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
			known: campaignFields(simulator),
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
		outputNote: `Drag the field jobId of an item onto 'Campaign Job' of another operation to choose that job. The totals may include bots. For figures without bots, use ${whoDidInPeriod(simulator)} in All ${titleOf(simulator)} Campaigns of Period.`,
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job-report/search'),
		scope: 'companies',
		answer: pages({
			identity: (json) => jobId(simulator, json),
			known: jobFields(simulator),
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
			'Get the figures of one job: how many got it, opened, clicked, submitted, reported; bots may be in them',
		outputNote: `The platform may leave bots out of these figures and include them in Get Many ${Thing} Jobs. Don't combine the two in one rate.`,
		endpoint: ofSimulator(
			simulator,
			'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}',
		),
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job: { resourceId, instanceGroup } }) => ({ path: { resourceId, instanceGroup } }),
		answer: record({ known: JOB_FIGURES }),
		output: (json, values) => withJob(withJobFigures(json), values),
	});

	const searchJobUsers: Operation = defineOperation({
		value: 'searchJobUsers',
		name: `Search ${Thing} Job Users`,
		description: 'List the people of one job: all of them, or by what they did',
		endpoint: peopleEndpoint(simulator),
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersOf({ ...botFields, searchType: searchTypePicker() }) },
		request: ({ job: of, filters: { searchType = ALL_PEOPLE } }) => ({ path: { ...of, searchType } }),
		answer: people(),
		perform: async ({ job: of, filters: { excludeBots, searchType = ALL_PEOPLE } }, { send, context }) => {
			const bots = botFilter(excludeBots, searchType);
			const found = await peopleOfType(simulator, of, searchType, withoutBots(bots, send));
			bots.tell(context);
			return found.map(({ json, ...each }) => ({ ...each, json: bots.ofPerson(json) }));
		},
		output: withJob,
	});

	const dependencies = { jobs: getManyJobs, summary: getJobSummary, people: searchJobUsers };
	return [
		...whoDidOperations(simulator, { summary: getJobSummary, people: searchJobUsers }),
		exportMany,
		exportJobs,
		fullReport(simulator, dependencies),
		fullReportOfPeriod(simulator, dependencies),
		getJobSummary,
		getMany,
		getManyJobs,
		...launchOperations(simulator, getMany),
		...manageOperations(simulator),
		...resendOperations(simulator, searchJobUsers),
		searchJobUsers,
	];
}
