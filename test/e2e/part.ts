import type { StageOptions, Stage } from '../real-n8n/stage';
import type { Version } from '../real-n8n/versions';

/** What the frame gives to a part. */
export interface Tools {
	/** A folder for logs and screenshots, emptied before; .cache/e2e/<part>. */
	results: string;
	/** The packed package, as it would be published; built and packed once for all parts. */
	tarball: string;
	/** Takes what has to be undone when the part ends, last to first, however it ends. */
	cleanups: Array<() => Promise<unknown>>;
	/** A real n8n with the package in it and a stand-in service behind it, with its log in the results as `<log>.log`. */
	stage: (log: string, options?: Omit<StageOptions, 'tarball' | 'logFile'> & { version?: Version }) => Promise<Stage>;
}

/** What a part came to. */
export interface Report {
	/** Printed as a table; every row has the same columns. */
	table: Array<Record<string, string | number>>;
	/** Sentences that say what is wrong; the part has passed when there are none. */
	failures: string[];
}

export interface Part {
	title: string;
	/** Runs the part. @throws any error: the part has then failed */
	run: (tools: Tools) => Promise<Report>;
}
