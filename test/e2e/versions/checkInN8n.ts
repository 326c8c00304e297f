import type { Version } from '../../real-n8n/versions';
import { runCases } from '../operations';
import type { Case } from '../../cases';
import type { ProfileName } from '../../stand-in';
import type { PartReport, PartContext } from '../part';
import type { CheckResult } from './checkResult';
import { checkCredentialTest } from './credential';
import { LOG_SETTINGS, checkLogIsQuiet } from './checkLog';
import { checkWritesRefuseRetries } from './retryOnFail';
import { checkIconsAreServed, checkNodesAreListed, checkSchemasAreServed, checkToolsAreListed } from './servedFiles';
import { checkTriggers } from './triggers';

/** Runs checks in a version of n8n and collects their results. */
export class CheckList implements PartReport {
	readonly table: PartReport['table'] = [];
	readonly failures: string[] = [];

	constructor(private readonly version: Version) {}

	async run(title: string, check: () => Promise<CheckResult>): Promise<void> {
		const startedAt = Date.now();
		const { checked, failures } = await check().catch((error: unknown) => ({ checked: 1, failures: [String(error)] }));
		const failed = failures.length;
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		this.table.push({ n8n: this.version, what: title, passed: Math.max(0, checked - failed), failed, seconds });
		this.failures.push(...failures.map((failure) => `n8n ${this.version}: ${failure}`));
		console.log(`  ${failed > 0 ? '✗' : '✓'} ${title}: ${checked - failed} of ${checked} in ${seconds} s`);
	}
}

/** Runs all checks in one version of n8n. The cases run against the stand-in service with each of these profiles. */
export async function checkInN8n(
	version: Version,
	{ startEnvironment, cleanups }: PartContext,
	cases: Case[],
	profiles: readonly ProfileName[],
): Promise<CheckList> {
	const checkList = new CheckList(version);
	const environment = await startEnvironment(`n8n-${version}`, { version, env: LOG_SETTINGS });
	await checkList.run('nodes, loaded lazily', () => checkNodesAreListed(environment));
	await checkList.run('tools', () => checkToolsAreListed(environment));
	await checkList.run('icons served', () => checkIconsAreServed(environment));
	await checkList.run('schemas served', () => checkSchemasAreServed(environment));
	await checkList.run('operations by workflow', () => runCases(environment, cases, profiles, cleanups));
	await checkList.run('triggers', async () => ({ checked: 2, failures: await checkTriggers(environment) }));
	// This must come before the checks that make n8n log errors on purpose.
	await checkList.run("lines of n8n's log", () => checkLogIsQuiet(environment.n8n));
	await checkList.run('writes refuse Retry On Fail', () => checkWritesRefuseRetries(environment, cases, cleanups));
	await checkList.run("credential's test", () => checkCredentialTest(environment));
	await environment.n8n.stop();
	return checkList;
}
