import type { Installation } from '../real-n8n/install';
import type { Stage } from './stage';

/** The result of one program's run. */
export interface Outcome {
	/** How many records, which must be the same for all programs of a case. */
	records: number;
	/** What n8n holds of it at the end. */
	kept: unknown;
}

/** A rival: one of the programs that a case compares. It runs in its own process, with the packages of a real n8n. */
export interface Rival {
	title: string;
	/** Called once per process, before anything is measured. */
	prepare?: (stage: Stage, size: number) => Promise<void>;
	run: (stage: Stage, size: number) => Promise<Outcome>;
	/** Undoes what a run left behind. */
	clear?: (stage: Stage) => Promise<void>;
}

/** Something that is measured from outside, in a process that the benchmark does not control: a whole n8n. */
export interface Outside {
	title: string;
	/** Gets it ready; what it returns makes one run. */
	open: (tools: Tools) => Promise<() => Promise<Run>>;
}

/** What a case can use in addition to the rivals' processes. */
export interface Tools {
	installation: Installation;
	/** The package as it would be published. */
	tarball: string;
	/** Takes functions that undo something at the end of the case. */
	cleanups: Array<() => Promise<unknown>>;
}

/** One row of a case: a rival with an amount of work and a latency of the service. */
export interface Series {
	/** The key in the results. */
	id: string;
	rival: string;
	/** The amount of work in the case's own unit: pages, companies, items, bytes. */
	size: number;
	latencyMs: number;
	/** Shown after the rival's title, if a case has several amounts or latencies. */
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
	/** The memory that is still in use after a garbage collection. */
	keptMb?: number;
	/** The most memory in use, without garbage: measured in a separate run with frequent garbage collections. */
	liveMb?: number;
	/** The whole process. */
	residentMb?: number | undefined;
	requests?: number;
	mostInFlight?: number;
	/** Memory over time. */
	curve?: Curve;
	profile?: Profile;
}

/** Memory in MB more than at the start, one value every `everyMs`. */
export interface Curve {
	everyMs: number;
	growthMb: number[];
}

/** Where the CPU time of a run went. */
export interface Profile {
	busySeconds: number;
	/** The shares of the busy time by the author of the code. */
	parts: Record<string, number>;
	/** This package's functions with the largest shares. */
	ours: Array<{ where: string; share: number }>;
	/** The functions with the largest shares. */
	all: Array<{ where: string; share: number }>;
}

/** A target for a figure. */
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
	/** Explanations of the figures, such as why a target is not reached. */
	notes?: string;
	/** What is shown of each row. */
	columns: Array<keyof typeof COLUMNS>;
	/** How many companies the stand-in service has. */
	companies: number;
	/**
	 * kept: one process per rival for all rounds, in which the code is already loaded, as in a running n8n. fresh: a new
	 * process per run, for memory.
	 */
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
	/** Whether the work is done once more after a run, to measure the memory in use without garbage. */
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
