/** Shows one piece of work while it runs; `usually` says how long it takes as a rule. */
export type Step = <Result>(title: string, usually: string, work: () => Promise<Result>) => Promise<Result>;

const seconds = (since: number): string => `${Math.round((Date.now() - since) / 1000)} s`;

/** In a terminal: one line that counts the seconds. Elsewhere (a log): a line at the start and one at the end. */
export const showStep: Step = async (title, usually, work) => {
	const started = Date.now();
	const { stdout } = process;
	const line = `${title} (usually ${usually})`;
	const rewrite = (text: string) => stdout.write(`\r\x1b[K${text.slice(0, (stdout.columns || 80) - 1)}`);

	const tick = () => rewrite(`  … ${seconds(started)}  ${line}`);
	if (stdout.isTTY) tick();
	else console.log(`  … ${line}`);
	const ticking = stdout.isTTY ? setInterval(tick, 1000) : undefined;

	let outcome = 'failed after';
	try {
		const result = await work();
		outcome = 'done in';
		return result;
	} finally {
		clearInterval(ticking);
		if (stdout.isTTY) rewrite('');
		console.log(`  ${outcome === 'done in' ? '✓' : '✗'} ${title}: ${outcome} ${seconds(started)}`);
	}
};
