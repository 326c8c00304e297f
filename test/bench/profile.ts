import type { Profiler } from 'node:inspector';
import { join } from 'node:path';

import type { Profile } from './case';

const OURS = 'this package';
const ROOT = join(__dirname, '..', '..');

/** Who wrote a function, by the file it is in; the first that fits. */
const PARTS: Array<[part: string, file: RegExp]> = [
	['the bench', /\/(scripts\/bench|test\/harness)\//],
	['axios', /\/node_modules\/(axios|follow-redirects|form-data)\//],
	['zod', /\/node_modules\/zod\//],
	["n8n's network helper", /\/@n8n\/(backend-network|client-oauth2)\//],
	['n8n-core', /\/node_modules\/n8n-core\//],
	['n8n-workflow', /\/node_modules\/(n8n-workflow|@n8n\/tournament|@n8n\/expression-runtime)\//],
	['other packages', /\/node_modules\//],
	['Node.js', /^node:/],
];

const SHOWN = 8;

const percent = (share: number) => Math.round(share * 1000) / 10;

/**
 * The shares of the time in which the process was not idle. A built-in function such as JSON.parse counts for the code
 * that calls it.
 * @param unpacked the folder of this package
 */
export function summarize({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, unpacked: string): Profile {
	const selfOf = new Map<number, number>();
	samples.forEach((id, index) => selfOf.set(id, (selfOf.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0)));

	let busy = 0;
	const parts = new Map<string, number>();
	const functions = new Map<string, { part: string; time: number }>();
	for (const { id, callFrame } of nodes) {
		const time = selfOf.get(id) ?? 0;
		const { functionName, url, lineNumber } = callFrame;
		// Taking the profile is no part of the work.
		if (['(idle)', '(root)'].includes(functionName) || url === 'node:inspector' || time === 0) continue;
		busy += time;
		const file = url.replace(/^file:\/\//, '');
		const own = functionName.startsWith('(') ? functionName.replace(/[()]/g, '') : 'V8 and built-ins';
		const part = file.startsWith(`${unpacked}/`) ? OURS : (PARTS.find(([, pattern]) => pattern.test(file))?.[0] ?? own);
		parts.set(part, (parts.get(part) ?? 0) + time);
		const short = file.replace(/^.*\/(node_modules|dist)\//, '').replace(`${ROOT}/`, '');
		const where =
			url === '' ? functionName || '(anonymous)' : `${functionName || '(anonymous)'} (${short}:${lineNumber + 1})`;
		functions.set(where, { part, time: (functions.get(where)?.time ?? 0) + time });
	}
	const largest = (entries: Array<[string, number]>) => entries.sort(([, one], [, other]) => other - one);
	const top = (wanted: (part: string) => boolean) =>
		largest(
			[...functions].flatMap(([where, { part, time }]): Array<[string, number]> =>
				wanted(part) ? [[where, time]] : [],
			),
		)
			.slice(0, SHOWN)
			.map(([where, time]) => ({ where, share: percent(time / busy) }));
	return {
		busySeconds: busy / 1e6,
		parts: Object.fromEntries(largest([...parts]).map(([part, time]) => [part, percent(time / busy)])),
		ours: top((part) => part === OURS),
		all: top(() => true),
	};
}
