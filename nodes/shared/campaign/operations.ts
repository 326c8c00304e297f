import { file } from '../answer/file';
import { pages, USER_SORT, USUAL_SORT } from '../answer/pages';
import { record } from '../answer/record';
import { text } from '../fields/basic';
import { defineOperation } from '../operation/define';
import { checkId } from '../transport/request';
import { fullReport } from './fullReport';
import { campaignId, jobKey, jobOf, jobPicker, type Simulator } from './simulator';

const NEWEST_FIRST = { orderBy: 'CreateTime', ascending: false };
const BY_EMAIL = { orderBy: 'Email', ascending: true };

/** The people of a job, by what they did. The same person may be listed for several jobs, so nothing tells rows apart. */
const people = () => pages({ identity: [], sortable: USER_SORT, usually: BY_EMAIL });

/** Everything a simulator's reports can do (contract 4.9), plus the full report, which is ours. */
export function campaignOperations(simulator: Simulator) {
	const campaign = `/api/${simulator}-simulator/${simulator}-campaign` as const;
	const job = `${campaign}-job-report` as const;
	const thing = `${simulator} campaign`;
	const Thing = thing.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

	const getMany = defineOperation({
		value: 'getMany',
		name: `Get Many ${Thing}s`,
		action: `Get many ${thing}s`,
		description: `List the ${simulator} simulations of one customer or of every one`,
		contract: `POST ${campaign}/search`,
		scope: 'companies',
		fields: {},
		request: () => ({}),
		answer: pages({ identity: campaignId(simulator), usually: NEWEST_FIRST }),
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
			sortable: USUAL_SORT,
			usually: NEWEST_FIRST,
			sizedBy: `POST ${campaign}/search`,
		}),
	});

	const getManyJobs = defineOperation({
		value: 'getManyJobs',
		name: `Get Many ${Thing} Jobs`,
		action: `Get many ${thing} jobs`,
		description: `List the runs of ${thing}s, each with its instance group`,
		contract: `POST ${job}/search`,
		scope: 'companies',
		fields: {},
		request: () => ({}),
		answer: pages({
			identity: (each) => {
				const found = jobOf(simulator, each);
				return found && jobKey(found);
			},
			usually: NEWEST_FIRST,
		}),
	});

	const exportJobs = defineOperation({
		value: 'exportJobs',
		name: `Export ${Thing} Jobs`,
		action: `Export ${thing} jobs`,
		description: `Get the list of runs of ${thing}s as a CSV or Excel file`,
		contract: `POST ${job}/search/export`,
		scope: 'companies',
		fields: {},
		request: () => ({}),
		answer: file({
			name: `${simulator}-campaign-jobs`,
			sortable: USUAL_SORT,
			usually: NEWEST_FIRST,
			sizedBy: `POST ${job}/search`,
		}),
	});

	const getJobSummary = defineOperation({
		value: 'getJobSummary',
		name: `Get ${Thing} Job Summary`,
		action: `Get ${thing} job summary`,
		description: 'Get the figures of one run: how many it was sent to, who opened, clicked and submitted',
		contract: `GET ${job}/summary/{resourceId}/{instanceGroup}`,
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		request: ({ job: { resourceId, instanceGroup } }) => ({ path: { resourceId, instanceGroup } }),
		answer: record(),
	});

	const searchJobUsers = defineOperation({
		value: 'searchJobUsers',
		name: `Search ${Thing} Job Users`,
		action: `Search ${thing} job users`,
		description: "List the people of one run by what they did, in the platform's own words",
		contract: `POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`,
		scope: 'company',
		fields: {
			job: jobPicker(simulator),
			searchType: {
				...text({
					displayName: 'Search Type',
					description: "What to look for, by the platform's name for it",
					placeholder: 'e.g. opened',
					required: true,
				}),
				check: checkId,
			},
		},
		request: ({ job: { resourceId, instanceGroup }, searchType }) => ({
			path: { searchType, resourceId, instanceGroup },
		}),
		answer: people(),
	});

	const interaction = (verb: 'opened' | 'clicked' | 'submitted', label: string) =>
		defineOperation({
			value: verb,
			name: `Get Users Who ${label} in ${Thing}`,
			action: `Get users who ${verb} in ${thing}`,
			description: `List the people who ${verb} the simulated message`,
			contract: `POST ${job}/search-email-${verb}/{resourceId}`,
			scope: 'company',
			fields: { job: jobPicker(simulator) },
			request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
			answer: people(),
		});
	const opened = interaction('opened', 'Opened');
	const clicked = interaction('clicked', 'Clicked');
	const submitted = interaction('submitted', 'Submitted');

	return [
		clicked,
		exportMany,
		exportJobs,
		fullReport(simulator, { summary: getJobSummary, opened, clicked, submitted }),
		getJobSummary,
		getMany,
		getManyJobs,
		opened,
		searchJobUsers,
		submitted,
	];
}
