import type { Version } from '../../real-n8n/versions';
import { runOperations } from '../operations';
import type { Case } from '../../cases';
import type { PersonalityName } from '../../stand-in';
import type { Report, Tools } from '../part';
import type { Checked } from './check';
import { credentialIsTested } from './credential';
import { LOG_SETTINGS, logIsQuiet } from './log';
import { writesRefuseRetries } from './retryOnFail';
import { iconsAreServed, nodesAreListed, schemasAreServed, toolsAreListed } from './served';
import { fireTriggers } from './triggers';

/** Notes each check in a table. */
export class Sheet implements Report {
	readonly table: Report['table'] = [];
	readonly failures: string[] = [];

	constructor(private readonly version: Version) {}

	async note(what: string, check: () => Promise<Checked>): Promise<void> {
		const began = Date.now();
		const { checked, failures } = await check().catch((error: unknown) => ({ checked: 1, failures: [String(error)] }));
		const failed = failures.length;
		const seconds = Math.round((Date.now() - began) / 1000);
		this.table.push({ n8n: this.version, what, passed: Math.max(0, checked - failed), failed, seconds });
		this.failures.push(...failures.map((failure) => `n8n ${this.version}: ${failure}`));
		console.log(`  ${failed > 0 ? '✗' : '✓'} ${what}: ${checked - failed} of ${checked} in ${seconds} s`);
	}
}

/** All that is looked at in a running n8n of a version, with these operations against these personalities of the service. */
export async function checkInN8n(
	version: Version,
	{ stage, cleanups }: Tools,
	cases: Case[],
	personalities: readonly PersonalityName[],
): Promise<Sheet> {
	const sheet = new Sheet(version);
	const there = await stage(`n8n-${version}`, { version, env: LOG_SETTINGS });
	await sheet.note('nodes, loaded lazily', () => nodesAreListed(there));
	await sheet.note('tools', () => toolsAreListed(there));
	await sheet.note('icons served', () => iconsAreServed(there));
	await sheet.note('schemas served', () => schemasAreServed(there));
	await sheet.note('operations by workflow', () => runOperations(there, cases, personalities, cleanups));
	await sheet.note('triggers', async () => ({ checked: 2, failures: await fireTriggers(there) }));
	// Before the checks whose failures n8n rightly logs.
	await sheet.note("lines of n8n's log", () => logIsQuiet(there.n8n));
	await sheet.note('writes refuse Retry On Fail', () => writesRefuseRetries(there, cases, cleanups));
	await sheet.note("credential's test", () => credentialIsTested(there));
	await there.n8n.stop();
	return sheet;
}
