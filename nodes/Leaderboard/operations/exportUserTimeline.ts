import { file } from '../../shared/answer/file';
import { USER_SORT } from '../../shared/answer/pages';
import { collection, text, texts, toggle } from '../../shared/fields/basic';
import { period, periodOf } from '../../shared/fields/period';
import { defineOperation } from '../../shared/operation/define';
import { inPagination } from './shared';

export const exportUserTimeline = defineOperation({
	value: 'exportUserTimeline',
	name: 'Export User Timeline',
	action: 'Export user timeline',
	description: 'Get what users did and when, such as trainings passed and simulations failed, as a CSV or Excel file',
	contract: 'POST /api/leaderboard/get-user-timeline/export',
	scope: 'companies',
	fields: {
		reportOptions: collection({
			displayName: 'Report Options',
			button: 'Add Option',
			fields: {
				actionTypes: texts({
					displayName: 'Action Types',
					description: "Only these actions, by the platform's names, separated by commas",
				}),
				...period,
				difficultyTypes: texts({
					displayName: 'Difficulty Types',
					description: "Only these difficulties, by the platform's names, separated by commas",
				}),
				products: texts({
					displayName: 'Products',
					description: "Only these products, by the platform's names, separated by commas",
				}),
				showOnlyFailedEvents: toggle({
					displayName: 'Only Failed Events',
					description: 'Whether to leave out what users did right',
					default: true,
				}),
				targetUserResourceId: text({
					displayName: 'Target User ID',
					description: 'Only this user; leave it empty for all',
					placeholder: 'e.g. 3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111',
				}),
			},
		}),
	},
	request: ({ reportOptions }) => {
		const { actionTypes, difficultyTypes, products, ...rest } = reportOptions;
		const some = (list: string[] | undefined) => (list && list.length > 0 ? list : null);
		return {
			body: {
				...periodOf(rest),
				targetUserResourceId: rest.targetUserResourceId || null,
				actionTypes: some(actionTypes),
				difficultyTypes: some(difficultyTypes),
				products: some(products),
				showOnlyFailedEvents: rest.showOnlyFailedEvents ?? false,
			},
		};
	},
	answer: file({
		name: 'user-timeline',
		page: inPagination,
		sortable: USER_SORT,
		usually: { orderBy: 'Email', ascending: true },
	}),
});
