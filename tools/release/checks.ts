import { Problem } from '../../test/real-n8n/problem';
import { CommandFailed } from '../../test/real-n8n/processes';

export interface Row {
	check: string;
	result: 'ok' | 'FAILED';
	seconds: number;
}

/** Runs checks one after the other, even if one has failed, and records their results. */
export class Checks {
	readonly rows: Row[] = [];

	/** What the work returns, if it succeeds. @param said what of it is shown */
	async run<Value>(
		check: string,
		work: () => Value | Promise<Value>,
		said: (value: Value) => string = String,
	): Promise<Value | undefined> {
		const began = Date.now();
		const close = (result: Row['result'], text: string) => {
			const seconds = Number(((Date.now() - began) / 1000).toFixed(1));
			this.rows.push({ check, result, seconds });
			const mark = { ok: '✓', FAILED: '✗' }[result];
			console.log(`${mark} ${check} (${seconds} s)\n${text.replace(/^/gm, '    ')}`);
		};
		try {
			const value = await work();
			close('ok', said(value));
			return value;
		} catch (error) {
			if (error instanceof Problem) close('FAILED', error.message);
			else if (error instanceof CommandFailed) close('FAILED', error.output);
			else close('FAILED', error instanceof Error ? (error.stack ?? error.message) : String(error));
			return undefined;
		}
	}

	get failed(): Row[] {
		return this.rows.filter(({ result }) => result === 'FAILED');
	}
}
