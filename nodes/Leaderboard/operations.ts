import { file } from '../shared/answer/file';
import { USER_SORT } from '../shared/answer/pages';
import { text, toggle } from '../shared/form/fields';
import { periodBody, reportPeriod } from '../shared/form/period';
import { optionsOf } from '../shared/operation/form';
import { defineOperation } from '../shared/operation/operation';
import { platformMultiPicker } from '../shared/pickers/platformLists';

/** The leaderboard's exports need the page in an object of its own (deployment facts). */
const inPagination = <P>(pagination: P) => ({ pagination });

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Leaderboard',
	description: 'Get the ranking of users by points as a CSV or Excel file, one file per company',
	contract: 'POST /api/leaderboard/get-all/export',
	scope: 'companies',
	fields: optionsOf(reportPeriod),
	request: ({ options }) => ({ body: periodBody(options) }),
	answer: file({
		name: 'leaderboard',
		page: inPagination,
		sortable: USER_SORT,
	}),
});

/** Values for a filter; none means all. */
const some = (values: string[] = []) => (values.length > 0 ? values : null);

const exportUserTimeline = defineOperation({
	value: 'exportUserTimeline',
	name: 'Export User Timeline',
	description: 'Get what users did and when, such as trainings passed and simulations failed, as a CSV or Excel file',
	contract: 'POST /api/leaderboard/get-user-timeline/export',
	scope: 'companies',
	fields: optionsOf({
		actionTypes: platformMultiPicker('actionTypes', { displayName: 'Action Type Names or IDs' }),
		...reportPeriod,
		difficultyTypes: platformMultiPicker('difficultyTypes', { displayName: 'Difficulty Type Names or IDs' }),
		products: platformMultiPicker('products', { displayName: 'Product Names or IDs' }),
		showOnlyFailedEvents: toggle({
			displayName: 'Only Failed Events',
			description: 'Whether to return only the events that users failed',
			default: true,
		}),
		targetUserResourceId: text({
			displayName: 'Target User ID',
			description: 'Only this user; leave it empty for all',
			placeholder: 'e.g. 3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111',
		}),
	}),
	request: ({ options }) => ({
		body: {
			...periodBody(options),
			targetUserResourceId: options.targetUserResourceId || null,
			actionTypes: some(options.actionTypes),
			difficultyTypes: some(options.difficultyTypes),
			products: some(options.products),
			showOnlyFailedEvents: options.showOnlyFailedEvents ?? false,
		},
	}),
	answer: file({
		name: 'user-timeline',
		page: inPagination,
		isFiltered: false,
		sortable: USER_SORT,
	}),
});

export const operations = [exportMany, exportUserTimeline];
