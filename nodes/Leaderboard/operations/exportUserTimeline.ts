import { file } from '../../shared/answer/file';
import { USER_SORT } from '../../shared/answer/pages';
import { collection } from '../../shared/form/collection';
import { text, texts } from '../../shared/form/text';
import { toggle } from '../../shared/form/toggle';
import { defineOperation } from '../../shared/operation/define';
import { inPeriod, period, periodsOf } from '../../shared/pickers/datePeriod';
import { leaderboardPicker } from '../../shared/pickers/leaderboard';
import { mergeIds } from '../../shared/pickers/picker';
import { inPagination } from '../fields';

const typed = (displayName: string, things: string) =>
	texts({
		displayName,
		description: `Only these ${things}, by the platform's names, separated by commas; those chosen in the list are added`,
	});

/** The same field with the platform's list. The field for text is older, and saved workflows have it. */
const chosen = (typedIn: string, kind: Parameters<typeof leaderboardPicker>[1]) =>
	leaderboardPicker({ displayName: `${typedIn.replace(/s$/, '')} Names or IDs` }, kind, typedIn);

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
				actionTypes: typed('Action Types', 'actions'),
				chosenActionTypes: chosen('Action Types', 'action'),
				...period,
				difficultyTypes: typed('Difficulty Types', 'difficulties'),
				chosenDifficultyTypes: chosen('Difficulty Types', 'difficulty'),
				products: typed('Products', 'products'),
				chosenProducts: chosen('Products', 'product'),
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
			},
		}),
	},
	request: ({ reportOptions }) => {
		const {
			actionTypes,
			chosenActionTypes,
			difficultyTypes,
			chosenDifficultyTypes,
			products,
			chosenProducts,
			...rest
		} = reportOptions;
		const some = (...lists: Parameters<typeof mergeIds>) => {
			const all = mergeIds(...lists) ?? [];
			return all.length > 0 ? all : null;
		};
		return {
			body: {
				...periodsOf(rest)[0],
				targetUserResourceId: rest.targetUserResourceId || null,
				actionTypes: some(actionTypes, chosenActionTypes),
				difficultyTypes: some(difficultyTypes, chosenDifficultyTypes),
				products: some(products, chosenProducts),
				showOnlyFailedEvents: rest.showOnlyFailedEvents ?? false,
			},
		};
	},
	perform: async ({ reportOptions }, { send, session }) => await inPeriod(periodsOf(reportOptions), send, session),
	answer: file({
		name: 'user-timeline',
		page: inPagination,
		isFiltered: false,
		sortable: USER_SORT,
		defaultOrder: { orderBy: 'Email', ascending: true },
	}),
});
