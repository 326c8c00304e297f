// npm run test:mutation: makes small changes in the sources, one at a time, and lists the changes that no test notices.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Order } from './candidates';
import { importersOf } from './imports';
import { instrument, shuffled, type Instrumented, type Mutant } from './mutants';
import { coverageSchema, type Coverage, type Plan } from './plan';
import { scoreOf, scores, survivors, titleOf } from './report';
import { filesIn, Sandbox } from './sandbox';
import { tryMutant, type Trials, type Verdict } from './trial';
import { typeChecker } from './typeCheck';

const HELP = `npm run test:mutation -- [options]
  --seed N          which mutants are in the sample; the number of the day unless given
  --sample N        how many mutants (200)
  --only PREFIX     only sources whose path begins so; may be given more than once
  --except PREFIX   no sources whose path begins so; may be given more than once
  --threshold N     percent that must be noticed, else it fails (85)
  --workers N       how many mutants are tried at once (2)
  --seconds N       how long the tests of one mutant may take (120)
  --deep            run the tests in test/deep as well
  --report FILE     write down what became of each mutant, as JSON`;

/** They test no source: the stand-in service, the contract and the test set-up; or they read the sources as text. */
const NOT_OF_SOURCES = ['test/stand-in/', 'test/contract/', 'test/setup/', 'test/rules/', 'test/n8n-core/'];
/** They take minutes, and notice almost nothing that the others do not notice: all but the known faults of the triggers. */
const DEEP = ['test/deep/(?!triggers/)'];

const COVERAGE_MS = 30 * 60_000;
const DAY_MS = 86_400_000;

function optionsOf(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			seed: { type: 'string', default: String(Math.floor(Date.now() / DAY_MS)) },
			sample: { type: 'string', default: '200' },
			only: { type: 'string', multiple: true, default: [''] },
			except: { type: 'string', multiple: true, default: [] },
			threshold: { type: 'string', default: '85' },
			workers: { type: 'string', default: '2' },
			seconds: { type: 'string', default: '120' },
			deep: { type: 'boolean', default: false },
			report: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const numbers = { seed: 0, sample: 0, threshold: 0, workers: 0, seconds: 0 };
	for (const name of Object.keys(numbers) as Array<keyof typeof numbers>) {
		numbers[name] = Number(values[name]);
		if (!Number.isFinite(numbers[name])) throw new Error(`--${name} must be a number, but is '${values[name]}'`);
	}
	return { ...values, ...numbers };
}
type Options = ReturnType<typeof optionsOf>;

const began = Date.now();
const say = (text: string) => console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s  ${text}`);

/** The mutants to try: drawn in the seed's order, without those that the type check notices. */
function draw(
	{ mutants }: Instrumented,
	passes: (mutant: Mutant) => boolean,
	{ seed, sample, only, except }: Options,
): Mutant[] {
	const begins = (file: string) => (prefix: string) => file.startsWith(prefix);
	const chosen: Mutant[] = [];
	let refused = 0;
	for (const mutant of shuffled(mutants, seed)) {
		if (chosen.length >= sample) break;
		if (!only.some(begins(mutant.file)) || except.some(begins(mutant.file))) continue;
		if (passes(mutant)) chosen.push(mutant);
		else refused++;
	}
	if (chosen.length === 0)
		throw new Error(`No source is below '${only.join("', '")}': name it as nodes/shared/polling`);
	say(
		`Of ${mutants.length} mutants, ${chosen.length} are tried (seed ${seed}); ${refused} others fail the type check.`,
	);
	return chosen;
}

/** The first and the last number of each source's mutants. */
const rangesOf = ({ mutants }: Instrumented, files: readonly string[]): Plan['sources'] =>
	files.flatMap((file) => {
		const ids = mutants.filter((mutant) => mutant.file === file).map(({ id }) => Number(id));
		return ids.length === 0 ? [] : [{ file, first: Math.min(...ids), last: Math.max(...ids) }];
	});

/** Runs all tests once without a mutant. @throws Error when one fails */
async function cover(sandbox: Sandbox, plan: Trials['plan'], workers: number): Promise<Coverage[]> {
	const { passed, output, notes } = await sandbox.run({ ...plan, skip: {} }, [], { workers, timeoutMs: COVERAGE_MS });
	// Jest repeats the failures at the end, if there were many tests.
	if (!passed)
		throw new Error(`The tests fail without any change:\n${output.split('Summary of all failing tests').at(-1)}`);
	const files = readdirSync(notes).filter((name) => name.endsWith('.test.ts.json'));
	say(`${files.length} test files pass without a change; each says what it runs through.`);
	return files.map((name) => coverageSchema.parse(JSON.parse(readFileSync(join(notes, name), 'utf8'))));
}

async function tryAll(mutants: readonly Mutant[], trials: Trials, workers: number): Promise<Verdict[]> {
	const verdicts: Verdict[] = [];
	const waiting = [...mutants];
	const work = async () => {
		for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
			const verdict = await tryMutant(mutant, trials);
			verdicts.push(verdict);
			const by = verdict.by === undefined ? '' : ` by ${verdict.by}`;
			say(`${verdicts.length} of ${mutants.length}: ${verdict.status}, ${titleOf(mutant)}${by}`);
		}
	};
	await Promise.all(Array.from({ length: workers }, work));
	return verdicts;
}

async function main(args: string[]): Promise<void> {
	const options = optionsOf(args);
	if (options.help) return console.log(HELP);
	const { seed, workers, seconds, threshold, deep, report } = options;
	// What the tests take samples of is chosen by the same seed, so that every run has the same tests.
	process.env.SEED = String(seed);
	const files = filesIn('nodes', 'credentials').filter((path) => path.endsWith('.ts'));
	const instrumented = await instrument(files);
	const importers = importersOf(files);
	const chosen = draw(instrumented, typeChecker(files, importers), options);
	const plan = { sample: chosen.map(({ id }) => id), sources: rangesOf(instrumented, files) };
	const sandbox = new Sandbox(instrumented, deep ? NOT_OF_SOURCES : [...NOT_OF_SOURCES, ...DEEP]);
	try {
		const coverages = await cover(sandbox, plan, workers);
		const trials = { sandbox, coverages, plan, importers, order: new Order(), mostMs: seconds * 1000 };
		const verdicts = await tryAll(chosen, trials, workers);
		if (report !== undefined) writeFileSync(report, JSON.stringify(verdicts, undefined, '\t'));
		const score = scoreOf(verdicts);
		console.log(`\nNo test notices these:\n\n${survivors(verdicts)}\n\n${scores(verdicts)}\n`);
		say(`${score.toFixed(1)} % were noticed; at least ${threshold} % must be.`);
		if (score < threshold) process.exitCode = 1;
	} finally {
		sandbox.remove();
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
