import type { IExecuteFunctions } from 'n8n-workflow';

import type { Service } from '../transport/service';

/** How often a person is told how far a run is. */
const SHOWN_EVERY_MS = 2000;
/** From how long a run on its progress is shown when it has ended. */
const LONG_MS = 5000;

interface Tally {
	all: number;
	done: number;
	failed: number;
}

/** How far a run is, and what a person is told of it besides its output. */
export class Progress {
	readonly companies: Tally = { all: 0, done: 0, failed: 0 };
	readonly items: Tally;
	private readonly hints = new Set<string>();
	private readonly startedAt = Date.now();
	private shownAt = this.startedAt;

	constructor(
		private readonly context: IExecuteFunctions,
		items: number,
	) {
		this.items = { all: items, done: 0, failed: 0 };
	}

	/** Notes what a person is told after the run; the same words once. */
	readonly hint = (message: string): void => {
		this.hints.add(message);
	};

	/**
	 * Shows in the browser's console of a manual run how far it is, every few seconds at most.
	 * @param waitMs how long it is until the next try of a request
	 */
	show(service: Service | undefined, waitMs: number): void {
		if (Date.now() - this.shownAt < SHOWN_EVERY_MS) return;
		this.shownAt = Date.now();
		const waiting = waitMs < 1000 ? '' : ` The next try is in ${Math.round(waitMs / 1000)} seconds.`;
		this.context.sendMessageToUI(this.inWords(service) + waiting);
	}

	/** Shows the hints after the run, and how it went where that is not plain from the output. */
	end(service: Service | undefined): void {
		if (this.companies.all > 0 || (service && Date.now() - this.startedAt >= LONG_MS)) this.hint(this.inWords(service));
		const hints = [...this.hints].map((message) => ({ message, location: 'outputPane' as const }));
		if (hints.length > 0) this.context.addExecutionHints(...hints);
	}

	private inWords(service: Service | undefined): string {
		const ofCompanies = this.companies.all > 0;
		const { all, done, failed } = ofCompanies ? this.companies : this.items;
		const { requests = 0, repeats = 0 } = service ?? {};
		const seconds = ((Date.now() - this.startedAt) / 1000).toFixed(1);
		return [
			...(ofCompanies || all > 1
				? [`${done} of ${all} ${ofCompanies ? 'companies' : 'items'} done, ${failed} failed.`]
				: []),
			`Requests: ${requests}, of which ${repeats} had to be repeated.`,
			`Time: ${seconds} seconds.`,
		].join(' ');
	}
}
