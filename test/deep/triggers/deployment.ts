import type { Random } from './random';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How a record shows when it was created. */
export type TimeForm = 'usual' | 'none' | 'sentinel' | 'seconds' | 'future';

/** How one deployment of the service behaves where the contract leaves it open. */
export interface Deployment {
	/** The most rows of a page, whatever is asked for; 0 = no limit. */
	pageCap: number;
	/** What the totals of a page say. */
	totals: 'right' | 'absent' | 'pagesAsAsked' | 'low' | 'high';
	/** What a page behind the last one holds. */
	behindLast: 'empty' | 'lastAgain';
	/** What becomes of a wish to sort by create time. */
	sort: 'obeyed' | 'unstableTies' | 'refused' | 'byName' | 'oldestFirst' | 'mostlyInOrder';
	/** Whether rows take places on pages although they are not shown. */
	trimmed: boolean;
	/** In which form the create times of most records are. */
	times: 'zoned' | 'unzoned' | 'fraction' | 'createdDate' | 'none';
	/** Create times are rounded down to this, so that many are equal. */
	roundTo: number;
	/** What is added to the service's time in create times. */
	timesShift: number;
	/** How far the service's clock is from n8n's, in create times as well as in the Date header. */
	serviceOffset: number;
	dateHeader: 'right' | 'absent' | 'wrong';
	/** For which companies a search without a company answers. */
	unscoped: 'all' | 'own' | 'some' | 'refused';
	rowsNameCompany: boolean;
	parentsIncludeChildren: boolean;
	/** Company rows hold their children, instead of each company having a row of its own. */
	nestedCompanies: boolean;
	/** How long an answer takes. */
	latencyMs: number;
}

/** The deployment that the contract describes. */
export const PLAIN: Deployment = {
	pageCap: 0,
	totals: 'right',
	behindLast: 'empty',
	sort: 'obeyed',
	trimmed: false,
	times: 'zoned',
	roundTo: 1,
	timesShift: 0,
	serviceOffset: 0,
	dateHeader: 'right',
	unscoped: 'all',
	rowsNameCompany: false,
	parentsIncludeChildren: false,
	nestedCompanies: false,
	latencyMs: 20,
};

/** A deployment that differs from the contract's in some ways. */
export function randomDeployment(random: Random): Deployment {
	const totals = random.weighted([
		[6, 'right'],
		[2, 'absent'],
		[2, 'pagesAsAsked'],
		[1, 'low'],
		[1, 'high'],
	] as const);
	return {
		pageCap: random.weighted([
			[5, 0],
			[1, 1],
			[1, 5],
			[2, 20],
			[2, 100],
			[1, 200],
		]),
		totals,
		behindLast: random.chance(0.2) ? 'lastAgain' : 'empty',
		sort: random.weighted([
			[6, 'obeyed'],
			[3, 'unstableTies'],
			[2, 'refused'],
			[2, 'byName'],
			[1, 'oldestFirst'],
			[1, 'mostlyInOrder'],
		] as const),
		// Without right totals nobody can tell an empty page in the middle from the end.
		trimmed: totals === 'right' && random.chance(0.1),
		times: random.weighted([
			[6, 'zoned'],
			[2, 'unzoned'],
			[2, 'fraction'],
			[2, 'createdDate'],
			[2, 'none'],
		] as const),
		roundTo: random.weighted([
			[5, 1],
			[2, 1000],
			[1, MINUTE],
			[1, HOUR],
		]),
		timesShift: random.weighted([
			[8, 0],
			[1, 3 * HOUR],
			[1, -8 * HOUR],
		]),
		serviceOffset: random.weighted([
			[8, 0],
			[1, 2 * HOUR],
			[1, -2 * HOUR],
			[0.5, 10 * MINUTE],
		]),
		dateHeader: random.weighted([
			[7, 'right'],
			[2, 'absent'],
			[1, 'wrong'],
		] as const),
		unscoped: random.weighted([
			[6, 'all'],
			[2, 'own'],
			[2, 'some'],
			[2, 'refused'],
		] as const),
		rowsNameCompany: random.chance(0.3),
		parentsIncludeChildren: random.chance(0.2),
		nestedCompanies: random.chance(0.3),
		latencyMs: random.pick([5, 20, 300]),
	};
}
