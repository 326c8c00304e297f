import type { Installation } from '../real-n8n/install';
import type { Stage } from './stage';

/** What a rival brought. */
export interface Outcome {
	/** How many records, which must be the same for all rivals of a case. */
	records: number;
	/** What n8n holds of it at the end. */
	kept: unknown;
}

/** One way to do the work of a case. Runs in a process of its own, on the packages of a real n8n. */
export interface Rival {
	title: string;
	/** Once per process, before anything is measured. */
	prepare?: (stage: Stage, size: number) => Promise<void>;
	run: (stage: Stage, size: number) => Promise<Outcome>;
	/** Undoes what a run left behind. */
	clear?: (stage: Stage) => Promise<void>;
}

/** What is measured from outside, in a process that is not the bench's: a whole n8n. */
export interface Outside {
	title: string;
	/** Gets it ready; what it returns makes one run. */
	open: (tools: Tools) => Promise<() => Promise<Run>>;
}

/** What a case has at hand besides the rivals' processes. */
export interface Tools {
	installation: Installation;
	/** The package as it would be published. */
	tarball: string;
	/** Takes what has to be undone at the end of the case. */
	cleanups: Array<() => Promise<unknown>>;
}

/** One row of a case: a rival with a size of work and a distance to the service. */
export interface Series {
	/** The key in the results. */
	id: string;
	rival: string;
	/** In the case's own unit: pages, companies, items, bytes. */
	size: number;
	latencyMs: number;
	/** Beside the rival's title, where a case has several sizes or distances. */
	note?: string;
}

/** What was measured of one run. Memory is known on Linux only. */
export interface Run {
	seconds: number;
	/** Of the process that did the work. */
	cpuSeconds?: number;
	records?: number;
	/** How much the process grew at its peak. */
	growthMb?: number | undefined;
	/** What was still held after everything that could be thrown away was. */
	keptMb?: number;
	/** What was in use at the most, garbage left out: collected and read again and again in a run of its own. */
	liveMb?: number;
	/** The whole process. */
	residentMb?: number | undefined;
	requests?: number;
	mostInFlight?: number;
	/** Memory over time. */
	curve?: Curve;
	profile?: Profile;
}

/** Memory in MB above the beginning, one value every `everyMs`. */
export interface Curve {
	everyMs: number;
	growthMb: number[];
}

/** Where the CPU time of a run went. */
export interface Profile {
	busySeconds: number;
	/** Shares of the busy time by who wrote the code. */
	parts: Record<string, number>;
	/** Our own functions with the largest shares. */
	ours: Array<{ where: string; share: number }>;
	/** Everybody's. */
	all: Array<{ where: string; share: number }>;
}

/** A figure to reach. */
export interface Target {
	text: string;
	/** One value per round; the median counts. */
	of: (round: (series: string) => Run) => number;
	least?: number;
	most?: number;
	/** The limit itself is not allowed. */
	below?: number;
	/** Between the figure and the unit stands a space, unless it is ×. */
	unit: string;
	/** Takes the largest of all rounds instead of the median. */
	worst?: boolean;
}

export interface Case {
	/** The word on the command line. */
	name: string;
	title: string;
	/** What is done, how it is measured, what to know. One paragraph. */
	about: string;
	/** What was found out about the figures, such as why something is not reached. */
	notes?: string;
	/** What is shown of each row. */
	columns: Array<keyof typeof COLUMNS>;
	/** How many companies the stand-in service has. */
	companies: number;
	/** kept: one process per rival for all rounds, warm as a running n8n is. fresh: a new one per run, for memory. */
	processes: 'kept' | 'fresh';
	/** How large the run before the measured one is; 0 for the same size. */
	warmUp: number;
	rivals: Record<string, Rival>;
	/** Rows that are no rival in a process of the bench. */
	outside?: Record<string, Outside>;
	series: (quick: boolean) => Series[];
	targets: Target[];
	/** A profile is taken of every run. */
	profiled?: boolean;
	/** Memory is noted over time. */
	curve?: boolean;
	/** After a run the work is done once more, to see what is in use and no garbage. */
	live?: boolean;
}

/** What can be shown of a run. */
export const COLUMNS = {
	seconds: { title: 'Time', of: (run: Run) => run.seconds, unit: 's', digits: 2 },
	cpuSeconds: { title: 'CPU', of: (run: Run) => run.cpuSeconds, unit: 's', digits: 2 },
	cpuPerThousand: {
		title: 'CPU per 1,000 records',
		of: ({ cpuSeconds, records }: Run) =>
			cpuSeconds === undefined || !records ? undefined : (cpuSeconds * 1e6) / records,
		unit: 'ms',
		digits: 0,
	},
	residentMb: { title: 'Memory', of: (run: Run) => run.residentMb, unit: 'MB', digits: 0 },
	growthMb: { title: 'Memory growth at the peak', of: (run: Run) => run.growthMb, unit: 'MB', digits: 1 },
	liveMb: { title: 'Most in use', of: (run: Run) => run.liveMb, unit: 'MB', digits: 1 },
	keptMb: { title: 'In use at the end', of: (run: Run) => run.keptMb, unit: 'MB', digits: 1 },
	requests: { title: 'Requests', of: (run: Run) => run.requests, unit: '', digits: 0 },
	mostInFlight: { title: 'Most requests at once', of: (run: Run) => run.mostInFlight, unit: '', digits: 0 },
	records: { title: 'Records', of: (run: Run) => run.records, unit: '', digits: 0 },
} satisfies Record<string, { title: string; of: (run: Run) => number | undefined; unit: string; digits: number }>;
