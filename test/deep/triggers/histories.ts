import { randomHistory, type History } from './history';
import { judge } from './judgement';
import type { Finding } from './promise';
import { HistoryRunner } from './run';
import { ModelServer } from './server';
import { print, shrink } from './shrink';

export type Counts = Record<string, number>;

export interface Failure {
	seed: number;
	findings: Finding[];
	/** The smallest history found in which the same goes wrong, in words. */
	text: string;
}

export interface Result {
	counts: Counts;
	failures: Failure[];
}

interface Options {
	/** Makes the histories that fail smaller, which takes up to 150 more of each. */
	shrink?: boolean;
	/** Ends after so many histories that fail. */
	mostFailures?: number;
	/** Answers requests without HTTP, which is faster. */
	isDirect?: boolean;
	/** Told what goes wrong, and now and then how far it is. */
	tell?: (line: string) => void;
}

/** Several counts as one. */
export function countsOf(all: readonly Counts[]): Counts {
	const sum: Counts = {};
	for (const counts of all) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
	return sum;
}

/**
 * Runs so many random histories, from a seed on, and judges each.
 * @returns the counts of all of them, and what went wrong; a seed runs the same history again
 */
export async function histories(
	count: number,
	seed: number,
	{ shrink: isShrinking, mostFailures = Infinity, isDirect = false, tell }: Options = {},
): Promise<Result> {
	const server = new ModelServer();
	await server.start();
	const runner = new HistoryRunner(server, isDirect);
	const counts: Counts = {};
	const failures: Failure[] = [];
	try {
		for (let index = 0; index < count && failures.length < mostFailures; index++) {
			const history = randomHistory(seed + index);
			const run = await runner.run(history);
			const { findings, ...judged } = judge(run);
			const { polls } = run;
			const figures = { histories: 1, polls: polls.length, requests: server.requests.length, ...judged };
			const kinds = countsOf(findings.map(({ kind }) => ({ [kind]: 1 })));
			Object.assign(
				counts,
				countsOf([counts, figures, kinds, { 'histories that failed': findings.length > 0 ? 1 : 0 }]),
			);
			if (findings.length > 0) {
				const failure = await failureOf(history, findings, runner, isShrinking ?? false);
				failures.push(failure);
				tell?.(
					`seed ${failure.seed}\n${failure.text}\n${failure.findings
						.slice(0, 4)
						.map(({ kind, text }) => `  ${kind}: ${text}`)
						.join('\n')}\n`,
				);
			}
			if (index % 100 === 99) tell?.(`${index + 1} histories from seed ${seed}: ${JSON.stringify(counts)}`);
		}
	} finally {
		await server.close();
	}
	return { counts, failures };
}

async function failureOf(
	history: History,
	findings: Finding[],
	runner: HistoryRunner,
	isShrinking: boolean,
): Promise<Failure> {
	const { seed } = history.setup;
	const kind = findings[0]?.kind;
	const found = async (candidate: History) =>
		judge(await runner.run(candidate)).findings.filter((each) => each.kind === kind);
	if (!isShrinking) return { seed, findings, text: print(history) };
	let last = findings;
	const smallest = await shrink(history, async (candidate) => {
		const again = await found(candidate);
		if (again.length > 0) last = again;
		return again.length > 0;
	});
	return { seed, findings: last, text: print(smallest) };
}
