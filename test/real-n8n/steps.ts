/** Runs `work` and shows its progress. `usualDuration` is a text for the user, such as '5 to 20 s'. */
export type StepRunner = <Result>(title: string, usualDuration: string, work: () => Promise<Result>) => Promise<Result>;

const formatSecondsSince = (since: number): string => `${Math.round((Date.now() - since) / 1000)} s`;

/** Runs a step. In a terminal, shows a line that counts the seconds. In a log file, writes a line at the start and a line at the end. */
export const runStep: StepRunner = async (title, usualDuration, work) => {
	const startedAt = Date.now();
	const { stdout } = process;
	const stepText = `${title} (usually ${usualDuration})`;
	const rewriteLine = (text: string) => stdout.write(`\r\x1b[K${text.slice(0, (stdout.columns || 80) - 1)}`);

	const showProgress = () => rewriteLine(`  … ${formatSecondsSince(startedAt)}  ${stepText}`);
	if (stdout.isTTY) showProgress();
	else console.log(`  … ${stepText}`);
	const timer = stdout.isTTY ? setInterval(showProgress, 1000) : undefined;

	let outcome = 'failed after';
	try {
		const result = await work();
		outcome = 'done in';
		return result;
	} finally {
		clearInterval(timer);
		if (stdout.isTTY) rewriteLine('');
		console.log(`  ${outcome === 'done in' ? '✓' : '✗'} ${title}: ${outcome} ${formatSecondsSince(startedAt)}`);
	}
};
