import type { IExecuteFunctions } from 'n8n-workflow';

import { counted } from '../transport/counted';
import type { Service } from '../transport/service';

/** How often the progress of a run is shown. */
const SHOWN_EVERY_MS = 2000;
/** Runs that take longer than this show a summary after they have ended. */
const LONG_MS = 5000;

interface Tally {
	all: number;
	done: number;
	failed: number;
}

/** The progress of a run, and the hints for a person in addition to its output. */
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

	/** Adds a hint that is shown after the run; the same text is shown once. */
	readonly hint = (message: string): void => {
		this.hints.add(message);
	};

	/**
	 * Shows the progress of a manual run in the browser's console, at most every two seconds.
	 * @param waitMs how long until a request is tried again, in ms
	 */
	show(service: Service | undefined, waitMs: number): void {
		if (Date.now() - this.shownAt < SHOWN_EVERY_MS) return;
		this.shownAt = Date.now();
		const waiting = waitMs < 1000 ? '' : ` The next try is in ${counted(Math.round(waitMs / 1000), 'second')}.`;
		this.context.sendMessageToUI(this.inWords(service) + waiting);
	}

	/** Shows the hints after the run, and a summary where the output alone does not show how the run went. */
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
				? [`${done} of ${counted(all, ofCompanies ? 'company' : 'item')} done, ${failed} failed.`]
				: []),
			`Requests: ${requests}, of which ${repeats} had to be repeated.`,
			`Time: ${seconds} seconds.`,
		].join(' ');
	}
}
