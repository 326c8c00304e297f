import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import type { RunningN8n } from '../../real-n8n/startN8n';
import { getCacheFolder } from '../../real-n8n/installN8n';
import type { CheckResult } from './checkResult';

/** Settings that make n8n write its log as JSON, with messages about how packages were loaded. */
export const LOG_SETTINGS = { N8N_LOG_FORMAT: 'json', N8N_LOG_LEVEL: 'debug' };

/** n8n 1.123 logs this warning if an execution is read after its end, but before its data is written. */
const EXPECTED_WARNING = 'Found successful execution where data is empty stringified array';

const lineSchema = z.object({ level: z.string(), message: z.string() });

/**
 * Checks that n8n has logged no warnings or errors. Messages during n8n's start only count if they name this package. All later
 * messages count, because n8n then only runs this package.
 */
export async function checkLogIsQuiet({ logFile, userFolder }: RunningN8n): Promise<CheckResult> {
	const log = await readFile(logFile, 'utf8');
	// Both paths contain the name of this package, which would make every line with a path count.
	const lines = log.replaceAll(userFolder, '').replaceAll(getCacheFolder(), '').trim().split('\n');
	const failures: string[] = [];
	let isStarted = false;
	for (const line of lines) {
		const { level, message } = line.startsWith('{')
			? lineSchema.parse(JSON.parse(line))
			: { level: 'none', message: line };
		isStarted ||= message.includes('Editor is now accessible');
		if (['info', 'debug'].includes(level) || message.startsWith(EXPECTED_WARNING)) continue;
		if (isStarted || /security.?awareness/i.test(line)) failures.push(`n8n logged: ${line.slice(0, 500)}`);
	}
	if (!isStarted) failures.push("n8n's log does not say that it started.");
	return { checkedCount: lines.length, failures };
}
