// npm run test:mutation: makes small changes in the sources, one at a time, and says which of them no test notices.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { packageRoot } from '../../test/n8n-core/package';
import { candidatesFor, mostHits, type Candidate } from './candidates';
import { typeChecker } from './compiles';
import { applied, instrument, shuffled, type Mutant } from './mutants';
import type { Coverage, Failure, Plan } from './plan';
import { checkedOut, Sandbox } from './sandbox';

const EXCLUDED = ['test/deep/', 'test/rules/', 'test/stand-in/', 'test/setup/', 'test/polling/property', 'test/polling/size'];

interface Result { mutant: Mutant; status: 'killed' | 'timeout' | 'survived' | 'uncovered'; by?: string; message?: string; seconds: number; shown: number; of: number }

async function main() {
	const { values } = parseArgs({ options: { seed: { type: 'string' }, sample: { type: 'string', default: '200' }, under: { type: 'string', default: '' }, workers: { type: 'string', default: '2' }, budget: { type: 'string', default: '60' }, report: { type: 'string' }, cov: {type:'string'} } });
	const seed = values.seed ?? String(Math.floor(Date.now() / 86_400_000));
	process.env.SEED ??= '1';
	const files = checkedOut('nodes', 'credentials').filter((path) => path.endsWith('.ts'));
	const instrumented = await instrument(files);
	const { mutants } = instrumented;
	const compiles = typeChecker(files);
	const began = Date.now();
	const at = () => `${((Date.now() - began) / 1000).toFixed(0)} s`;
	const chosen: Mutant[] = [];
	let drawn = 0;
	for (const mutant of shuffled(mutants.filter(({ file }) => file.startsWith(values.under)), seed)) {
		if (chosen.length >= Number(values.sample)) break;
		drawn++;
		if (compiles(mutant)) chosen.push(mutant);
	}
	console.log(`${mutants.length} mutants, seed ${seed}: ${drawn} drawn, ${chosen.length} pass the type check. ${at()}`);
	const sources = files.flatMap((file) => {
		const ids = mutants.filter((mutant) => mutant.file === file).map(({ id }) => Number(id));
		return ids.length === 0 ? [] : [{ file, first: Math.min(...ids), last: Math.max(...ids) }];
	});
	const sandbox = new Sandbox(instrumented, EXCLUDED);
	const plan: Omit<Plan, 'root' | 'notes'> = { skip: {}, mutants: chosen.map(({ id }) => id), sources };
	const first = await sandbox.run(plan, [], Number(values.workers), 1_200_000);
	if (!first.passed) throw new Error(first.output.slice(-5000));
	const coverages = readdirSync(first.notes).filter((name) => name.includes('+')).map((name) => JSON.parse(readFileSync(join(first.notes, name), 'utf8')) as Coverage);
	console.log(`Coverage known: ${coverages.length} test files. ${at()}`);

	const kills: Array<{ source: string; by: string }> = [];
	const rank = (mutant: Mutant) => {
		const folder = mutant.file.split('/').slice(0, -1).at(-1) ?? '';
		return ({ file, durationMs }: Candidate) => {
			const known = kills.filter(({ source, by }) => by === file && source === mutant.file).length;
			const mirrors = file.includes(`/${folder}/`) ? 1 : 0;
			return (3000 + durationMs) / (1 + known + mirrors);
		};
	};
	const results: Result[] = [];
	const queue = [...chosen];
	const work = async () => {
		for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
			const started = Date.now();
			const ranked = candidatesFor(mutant, coverages, sources);
			const by = rank(mutant);
			ranked.sort((a, b) => by(a) - by(b));
			const within: Candidate[] = [];
			let sum = 0;
			for (const one of ranked) {
				if (within.length > 0 && sum + one.durationMs > Number(values.budget) * 1000) continue;
				sum += one.durationMs;
				within.push(one);
			}
			const done = (more: Pick<Result, 'status' | 'by' | 'message'>) => {
				const result = { mutant, ...more, seconds: (Date.now() - started) / 1000, shown: within.length, of: ranked.length };
				results.push(result);
				console.log(`${results.length}/${chosen.length} ${at()} ${result.seconds.toFixed(0)} s ${result.status} ${mutant.file}:${mutant.location.start.line + 1} ${mutant.kind} ${mutant.replacement.slice(0, 60).replaceAll('\n', ' ')} | ${result.by ?? `${within.length}/${ranked.length} files`} | ${(result.message ?? '').split('\n')[0]?.slice(0, 100)}`);
			};
			if (within.length === 0) { done({ status: 'uncovered' }); continue; }
			const outcome = await sandbox.run(
				{ ...plan, mutant: mutant.id, hitLimit: 10_000 + 100 * mostHits(mutant, coverages), skip: Object.fromEntries(within.map(({ file, skip }) => [file, skip])) },
				within.map(({ file }) => file), 1, 60_000 + 5 * sum + within.length * 5_000);
			if (outcome.passed) done({ status: 'survived' });
			else if (outcome.failure) { kills.push({ source: mutant.file, by: outcome.failure.file }); done({ status: 'killed', by: `${outcome.failure.file} > ${outcome.failure.test}`, message: outcome.failure.message }); }
			else if (outcome.timedOut) done({ status: 'timeout' });
			else if (!outcome.output.includes('Test suite failed to run')) throw new Error(outcome.output);
			else done({ status: 'killed', by: '(loading)', message: outcome.output.slice(0, 3000) });
		}
	};
	await Promise.all(Array.from({ length: Number(values.workers) }, work));
	if (values.report) writeFileSync(values.report, JSON.stringify(results.map((r)=>({...r, source: readFileSync(join(packageRoot, r.mutant.file),'utf8').split('\n')[r.mutant.location.start.line]})), undefined, 1));
	const dead = results.filter(({ status }) => status === 'killed' || status === 'timeout').length;
	console.log(`${dead} of ${results.length}: ${((100 * dead) / results.length).toFixed(1)} %. ${at()}`);
	sandbox.remove();
}
void main();
