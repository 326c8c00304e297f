import { PLAIN } from './deployment';
import { PLAIN_SETUP, type History, type Setup, type Step } from './history';

/** Smaller histories than a given one, the smallest first. */
function* smaller({ setup, steps }: History): Generator<History> {
	for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
		for (let from = 0; from < steps.length; from += size) {
			const left = [...steps.slice(0, from), ...steps.slice(from + size)];
			if (left.length < steps.length) yield { setup, steps: left };
		}
	}
	for (const change of plainer(setup)) yield { setup: { ...setup, ...change }, steps };
	for (const [index, step] of steps.entries()) {
		const simpler = simplerStep(step);
		if (simpler) yield { setup, steps: steps.map((each, place) => (place === index ? simpler : each)) };
	}
}

function* plainer(setup: Setup): Generator<Partial<Setup>> {
	const { deployment } = setup;
	const keep = { ...PLAIN, parentsIncludeChildren: deployment.parentsIncludeChildren };
	for (const [key, value] of Object.entries(keep)) {
		const changed = { ...deployment, [key]: value };
		if (JSON.stringify(changed) !== JSON.stringify(deployment)) yield { deployment: changed };
	}
	if (deployment.parentsIncludeChildren) yield { deployment: { ...deployment, parentsIncludeChildren: false } };
	const plain: Array<Partial<Setup>> = [
		{ pageSize: 0 },
		{ includeDetails: false },
		{ budgetMs: 0 },
		{ isDurable: false },
		{ surveysOnly: false },
		{ nameContains: '' },
		{ existingSince: 0 },
		{ lateArrivals: PLAIN_SETUP.lateArrivals },
		{ companies: 1 },
		{ companies: 2 },
		{ companies: 3 },
		{ existing: 0 },
		{ existing: 1 },
		{ existing: 2 },
		{ existing: 12 },
	];
	for (const change of plain) {
		const changed = { ...setup, ...change };
		const isLess = (change.companies ?? 0) < setup.companies && (change.existing ?? 0) < setup.existing + 1;
		if (JSON.stringify(changed) !== JSON.stringify(setup) && isLess) yield change;
	}
}

function simplerStep(step: Step): Step | undefined {
	if (step.do === 'poll' && step.times > 1) return { ...step, times: 1 };
	if (step.do !== 'create') return undefined;
	if (step.count > 1) return { ...step, count: Math.floor(step.count / 2) };
	if (step.lateMinutes > 0) return { ...step, lateMinutes: 0 };
	return step.time === 'usual' ? undefined : { ...step, time: 'usual' };
}

/** @returns the smallest history found in which the same goes wrong, after at most so many trials */
export async function shrink(
	history: History,
	stillFails: (history: History) => Promise<boolean>,
	trials = 150,
): Promise<History> {
	let smallest = history;
	for (let left = trials, isSmaller = true; isSmaller && left > 0;) {
		isSmaller = false;
		for (const candidate of smaller(smallest)) {
			if (left-- <= 0) break;
			if (!(await stillFails(candidate))) continue;
			smallest = candidate;
			isSmaller = true;
			break;
		}
	}
	return smallest;
}

/** A history in words: only what is not as the contract describes it, and the steps. */
export function print({ setup, steps }: History): string {
	const { deployment, ...rest } = setup;
	const unusual = (given: object, plain: object): string => {
		const usual = new Map<string, unknown>(Object.entries(plain));
		const others = Object.entries(given).filter(
			([key, value]) => JSON.stringify(value) !== JSON.stringify(usual.get(key)),
		);
		return JSON.stringify(Object.fromEntries(others));
	};
	const lines = steps.map(({ do: what, ...more }) => `  ${what} ${JSON.stringify(more)}`);
	return [`setup ${unusual(rest, PLAIN_SETUP)}`, `deployment ${unusual(deployment, PLAIN)}`, ...lines].join('\n');
}
