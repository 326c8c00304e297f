import { DAY, HOUR, PLAIN, randomDeployment, type Deployment, type TimeForm } from './deployment';
import type { Fault, FaultOrEmpty, ListFault, ListName } from './platform';
import { Random } from './random';

export type Watch = 'campaigns' | 'jobs' | 'enrollments';

/** What is so from the beginning of a history on. */
export interface Setup {
	seed: number;
	deployment: Deployment;
	hasUniqueIds: boolean;
	watch: Watch;
	/** The simulators watched at first. */
	simulators: ListName[];
	surveysOnly: boolean;
	scope: 'one' | 'own' | 'every';
	/** With every company: only those whose name contains this. */
	nameContains: string;
	triggerOn: 'new' | 'statusChanged';
	onlyStatuses: string;
	alsoFirstSeen: boolean;
	lateArrivals: number;
	pageSize: number;
	includeDetails: boolean;
	/** So many hours before the activation; 0 = not set. */
	existingSince: number;
	isDurable: boolean;
	/** What n8n grants a poll; 0 = n8n says nothing. */
	budgetMs: number;
	companies: number;
	/** Records of each company and list before the activation. */
	existing: number;
	pollMinutes: number;
}

/** What happens. Picks are counted on from the first and begin again behind the last, so that any step can be left out. */
export type Step =
	| { do: 'poll'; times: number; minutes: number }
	| { do: 'create'; list: number; company: number; count: number; lateMinutes: number; time: TimeForm; status: number }
	| { do: 'group'; record: number }
	| { do: 'during'; after: number; what: 'create' | 'hide'; pick: number }
	| { do: 'hide' | 'show'; record: number }
	| { do: 'status'; record: number; status: number }
	| { do: 'move'; record: number; company: number }
	| { do: 'addCompany'; records: number; ageHours: number }
	| { do: 'dropCompany' | 'returnCompany' | 'rename' | 'heal'; company: number }
	| { do: 'fault'; company: number; fault: Fault }
	| { do: 'faultAll'; fault: FaultOrEmpty }
	| { do: 'faultCompanies'; fault: Fault }
	| ({ do: 'faultList'; list: number } & ListFault)
	| { do: 'healLists' | 'healAll' }
	| { do: 'header'; days: number; answers: number }
	| { do: 'details'; record: number; fails: number }
	| { do: 'addSimulator' }
	| { do: 'crash'; isGiven: boolean; minutes: number }
	| { do: 'overlap'; minutes: number }
	| { do: 'restart' | 'test' };

export interface History {
	setup: Setup;
	steps: Step[];
}

export const STATUSES = ['Scheduled', 'Sending', 'Finished', 'Stopped'] as const;
export const SIMULATORS = ['phishing', 'quishing', 'smishing'] as const;
/** For all practical purposes. */
export const FOR_GOOD = 1_000_000;

/** A trigger for New records of one company, on a deployment as the contract describes it. */
export const PLAIN_SETUP: Setup = {
	seed: 1,
	deployment: PLAIN,
	hasUniqueIds: true,
	watch: 'campaigns',
	simulators: ['phishing'],
	surveysOnly: false,
	scope: 'every',
	nameContains: '',
	triggerOn: 'new',
	onlyStatuses: '',
	alsoFirstSeen: false,
	lateArrivals: 24,
	pageSize: 0,
	includeDetails: false,
	existingSince: 0,
	isDurable: false,
	budgetMs: 0,
	companies: 3,
	existing: 3,
	pollMinutes: 5,
};

function randomSetup(seed: number, random: Random): Setup {
	const watch = random.pick(['campaigns', 'jobs', 'enrollments'] as const);
	const scope = random.weighted([
		[1, 'one'],
		[1, 'own'],
		[4, 'every'],
	] as const);
	const triggerOn = random.chance(0.3) ? 'statusChanged' : 'new';
	const some = random.chance(0.15) ? PLAIN : randomDeployment(random);
	// One row a page in an order that changes from page to page: no reader ever gets through.
	const drawn = some.pageCap === 1 && some.sort === 'unstableTies' ? { ...some, sort: 'obeyed' as const } : some;
	const own: Partial<Deployment> = { unscoped: 'own', parentsIncludeChildren: false };
	const companies = random.weighted([
		[2, 1],
		[4, 3],
		[2, 6],
		[0.5, 20],
	]);
	const existing = random.weighted([
		[1, 0],
		[3, 2],
		[2, 12],
		[0.3, 120],
	]);
	// Whether IDs are unique can be learnt where the same one occurs twice at the activation.
	const isLearnable =
		scope === 'every' &&
		watch !== 'jobs' &&
		drawn.unscoped === 'all' &&
		companies > 1 &&
		existing > 0 &&
		(drawn.times !== 'none' || drawn.pageCap > 1);
	const hasUniqueIds = !isLearnable || random.chance(0.9);
	// An ID that two companies have, and a parent's list of its children's records, cannot be told apart.
	const distinct: Partial<Deployment> = hasUniqueIds ? {} : { parentsIncludeChildren: false };
	const deployment = { ...drawn, ...(scope === 'own' ? own : {}), ...distinct };
	const isSmall = random.chance(0.15);
	const onlyStatuses = triggerOn === 'statusChanged' && random.chance(0.3) ? 'finished, Stopped' : '';
	return {
		seed,
		deployment: isSmall ? { ...deployment, latencyMs: random.pick([1000, 4000, 9000]) } : deployment,
		hasUniqueIds,
		watch,
		simulators: random.shuffled(SIMULATORS).slice(0, random.int(1, 2)),
		surveysOnly: watch === 'enrollments' && random.chance(0.15),
		scope,
		nameContains: scope === 'every' && !deployment.parentsIncludeChildren && random.chance(0.15) ? 'Ltd' : '',
		triggerOn,
		onlyStatuses,
		alsoFirstSeen: triggerOn === 'statusChanged' && random.chance(0.5),
		lateArrivals: random.weighted([
			[6, 24],
			[1, 6],
			[1, 100],
		]),
		pageSize: random.weighted([
			[7, 0],
			// With so few records a page, an order that changes is never read through, and no ID is met twice.
			[1, deployment.sort === 'unstableTies' || !hasUniqueIds ? 20 : 1],
			[1, 7],
			[1, 100],
		]),
		includeDetails: watch !== 'campaigns' && random.chance(0.4),
		existingSince: triggerOn === 'new' && random.chance(0.15) ? random.int(1, 1000) : 0,
		isDurable: random.chance(0.3),
		budgetMs: isSmall ? random.pick([20_000, 36_000, 60_000]) : 0,
		companies,
		existing,
		pollMinutes: random.pick([1, 5, 15, 60]),
	};
}

const ASKED = ['all', 'unscoped', 'companies'] as const;
const pick = (random: Random): number => random.int(0, 1000);
const faultOf = (random: Random): Fault => random.pick<Fault>([403, 404, 500, 503, 'html', 'reset', 'hang']);

function createStep(setup: Setup, random: Random): Step {
	const late = random.chance(0.3) ? random.int(1, (setup.lateArrivals - 2) * 60) : 0;
	const tooLate = random.chance(0.03) ? (setup.lateArrivals + 30) * 60 : late;
	const count = random.weighted([
		[8, random.int(1, 4)],
		[2, random.int(5, 40)],
		[0.3, random.int(200, 300)],
		[0.03, random.int(2000, 2300)],
	]);
	const time = random.weighted([
		[12, 'usual'],
		[1, 'none'],
		[1, 'sentinel'],
		[0.7, 'seconds'],
		[0.4, 'future'],
	] as const);
	return {
		do: 'create',
		list: pick(random),
		company: pick(random),
		count,
		lateMinutes: tooLate,
		time,
		status: pick(random),
	};
}

function randomStep(setup: Setup, random: Random): Step {
	const minutes = random.chance(0.15) ? random.int(60, 3 * 24 * 60) : setup.pollMinutes;
	const record = pick(random);
	const company = pick(random);
	return random.weighted<() => Step>([
		[10, () => ({ do: 'poll', times: random.int(1, 3), minutes })],
		[8, () => createStep(setup, random)],
		[setup.watch === 'jobs' ? 1 : 0, () => ({ do: 'group', record })],
		[1.5, () => ({ do: 'during', after: random.int(0, 4), what: random.pick(['create', 'hide']), pick: record })],
		[1, () => ({ do: 'hide', record })],
		[1.5, () => ({ do: 'show', record })],
		[setup.triggerOn === 'new' ? 0.5 : 6, () => ({ do: 'status', record, status: pick(random) })],
		[0.7, () => ({ do: 'move', record, company })],
		[0.8, () => ({ do: 'addCompany', records: random.int(0, 5), ageHours: random.int(0, 100) })],
		[0.5, () => ({ do: 'dropCompany', company })],
		[0.8, () => ({ do: 'returnCompany', company })],
		[0.5, () => ({ do: 'rename', company })],
		[2, () => ({ do: 'fault', company, fault: faultOf(random) })],
		[1, () => ({ do: 'heal', company })],
		[0.4, () => ({ do: 'faultAll', fault: random.chance(0.2) ? 'empty' : faultOf(random) })],
		[0.4, () => ({ do: 'faultCompanies', fault: faultOf(random) })],
		[0.8, () => ({ do: 'faultList', list: record, fault: faultOf(random), asked: random.pick(ASKED) })],
		[0.2, () => ({ do: 'faultList', list: record, fault: 'empty', asked: 'all' })],
		// Others give what they give.
		[
			setup.deployment.unscoped === 'all' ? 0.4 : 0,
			() => ({ do: 'faultList', list: record, fault: 'some', asked: 'unscoped' }),
		],
		[0.8, () => ({ do: 'healLists' })],
		[1.5, () => ({ do: 'healAll' })],
		[0.4, () => ({ do: 'header', days: random.pick([10, -10, 4000]), answers: random.int(1, 5) })],
		[setup.includeDetails ? 1 : 0, () => ({ do: 'details', record, fails: random.pick([1, 7, FOR_GOOD]) })],
		// A workflow with other parameters begins with what n8n has saved, as after a restart.
		[
			setup.watch === 'enrollments' || (setup.triggerOn !== 'new' && !setup.isDurable) ? 0 : 0.4,
			() => ({ do: 'addSimulator' }),
		],
		[0.5, () => ({ do: 'overlap', minutes })],
		// What Status Changed may lose then is n8n's: it saves nothing after a poll that gave nothing.
		[
			setup.triggerOn === 'new' || setup.isDurable ? 1 : 0,
			() => ({ do: 'crash', isGiven: random.chance(0.5), minutes }),
		],
		[setup.triggerOn === 'new' || setup.isDurable ? 1 : 0, () => ({ do: 'restart' })],
		[0.2, () => ({ do: 'test' })],
	])();
}

/** @returns the history that belongs to a seed */
export function randomHistory(seed: number): History {
	const random = new Random(seed);
	const setup = randomSetup(seed, random);
	const before: Step[] = random.chance(0.2) ? [{ do: 'fault', company: pick(random), fault: faultOf(random) }] : [];
	const steps = Array.from({ length: random.int(6, 28) }, () => randomStep(setup, random));
	return { setup, steps: [...before, { do: 'poll', times: 1, minutes: 1 }, ...steps] };
}

/** How long after the last step everything must have been given, and in which pauses it is polled for until then. */
export function settling({ lateArrivals }: Setup): number[] {
	const soon = Array.from({ length: 10 }, () => HOUR / 3);
	const later = Array.from({ length: 14 }, () => (lateArrivals * HOUR) / 12);
	return [...soon, ...later];
}

/** How old records are that are there before the activation. */
export const EXISTING_AGE = { from: HOUR, to: 40 * DAY } as const;
