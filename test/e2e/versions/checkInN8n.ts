import type { Version } from '../../real-n8n/versions';
import { runCases } from '../operations';
import type { Case } from '../../cases';
import type { ProfileName } from '../../stand-in';
import type { TestPartReport, TestPartContext } from '../part';
import type { CheckResult } from './checkResult';
import { checkCredentialTest } from './credential';
import { LOG_SETTINGS, checkLogIsQuiet } from './checkLog';
import { checkWritesRefuseRetries } from './retryOnFail';
import { checkIconsAreServed, checkNodesAreListed, checkSchemasAreServed, checkToolsAreListed } from './servedFiles';
import { checkTriggers } from './triggers';

/** Runs checks in one version of n8n, one after the other, and collects their results. */
export class CheckList implements TestPartReport {
	readonly table: TestPartReport['table'] = [];
	readonly failures: string[] = [];

	constructor(private readonly version: Version) {}

	async runCheck(title: string, check: () => Promise<CheckResult>): Promise<void> {
		const startedAt = Date.now();
		const { checkedCount, failures } = await check().catch((error: unknown) => ({
			checkedCount: 1,
			failures: [String(error)],
		}));
		const failed = failures.length;
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		this.table.push({ n8n: this.version, what: title, passed: Math.max(0, checkedCount - failed), failed, seconds });
		this.failures.push(...failures.map((failure) => `n8n ${this.version}: ${failure}`));
		console.log(`  ${failed > 0 ? '✗' : '✓'} ${title}: ${checkedCount - failed} of ${checkedCount} in ${seconds} s`);
	}
}

/** Runs all checks in one version of n8n. The cases run against the stand-in service with each of these profiles. */
export async function checkInN8n(
	version: Version,
	{ startEnvironment, cleanups }: TestPartContext,
	cases: Case[],
	profiles: readonly ProfileName[],
): Promise<CheckList> {
	const checkList = new CheckList(version);
	const environment = await startEnvironment(`n8n-${version}`, { version, env: LOG_SETTINGS });
	await checkList.runCheck('nodes, loaded lazily', () => checkNodesAreListed(environment));
	await checkList.runCheck('tools', () => checkToolsAreListed(environment));
	await checkList.runCheck('icons served', () => checkIconsAreServed(environment));
	await checkList.runCheck('schemas served', () => checkSchemasAreServed(environment));
	await checkList.runCheck('operations by workflow', () => runCases(environment, cases, profiles, cleanups));
	await checkList.runCheck('triggers', async () => ({ checkedCount: 2, failures: await checkTriggers(environment) }));
	// This must come before the checks that make n8n log errors on purpose.
	await checkList.runCheck("lines of n8n's log", () => checkLogIsQuiet(environment.n8n));
	await checkList.runCheck('writes refuse Retry On Fail', () => checkWritesRefuseRetries(environment, cases, cleanups));
	await checkList.runCheck("credential's test", () => checkCredentialTest(environment));
	await environment.n8n.stop();
	return checkList;
}
