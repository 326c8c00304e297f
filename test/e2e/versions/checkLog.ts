import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import type { RunningN8n } from '../../real-n8n/startN8n';
import { getCacheFolder } from '../../real-n8n/installN8n';
import type { CheckResult } from './checkResult';

/** Settings that make n8n's log machine-readable and include how packages were loaded. */
export const LOG_SETTINGS = { N8N_LOG_FORMAT: 'json', N8N_LOG_LEVEL: 'debug' };

/** n8n 1.123 logs this if an execution is requested after its end, but before its data is written. */
const EXPECTED_WARNING = 'Found successful execution where data is empty stringified array';

const lineSchema = z.object({ level: z.string(), message: z.string() });

/**
 * Checks that n8n has logged no warnings and errors. Messages during n8n's start only count if they name this package. All later
 * messages count, because n8n then only runs this package.
 */
export async function checkLogIsQuiet({ logFile, userFolder }: RunningN8n): Promise<CheckResult> {
	const log = await readFile(logFile, 'utf8');
	// These paths contain the name of this package.
	const lines = log.replaceAll(userFolder, '').replaceAll(getCacheFolder(), '').trim().split('\n');
	const failures: string[] = [];
	let isStarted = false;
	for (const text of lines) {
		const { level, message } = text.startsWith('{')
			? lineSchema.parse(JSON.parse(text))
			: { level: 'none', message: text };
		isStarted ||= message.includes('Editor is now accessible');
		if (['info', 'debug'].includes(level) || message.startsWith(EXPECTED_WARNING)) continue;
		if (isStarted || /security.?awareness/i.test(text)) failures.push(`n8n logged: ${text.slice(0, 500)}`);
	}
	if (!isStarted) failures.push("n8n's log does not say that it started.");
	return { checked: lines.length, failures };
}
