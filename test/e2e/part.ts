import type { TestEnvironmentOptions, TestEnvironment } from '../real-n8n/testEnvironment';
import type { Version } from '../real-n8n/versions';

/** The folders and functions that each part of the end-to-end tests gets. */
export interface TestPartContext {
	/** The folder for logs and screenshots, .cache/e2e/<part>. It is emptied before the part starts. */
	resultsFolder: string;
	/** The path of the packed package, as it would be published. It is built once for all parts. */
	tarball: string;
	/** Functions that run when the part has ended, successfully or not. The last one runs first. */
	cleanups: Array<() => Promise<unknown>>;
	/**
	 * Starts a real n8n with the package installed, and a stand-in service. n8n's log is written to `<logName>.log` in the results
	 * folder.
	 */
	startEnvironment: (
		logName: string,
		options?: Omit<TestEnvironmentOptions, 'tarball' | 'logFile'> & { version?: Version },
	) => Promise<TestEnvironment>;
}

/** The result of running a part. */
export interface TestPartReport {
	/** The rows of a table to print. All rows have the same columns. */
	table: Array<Record<string, string | number>>;
	/** One sentence per failure. The part has passed if the list is empty. */
	failures: string[];
}

/** A part of the end-to-end tests, which can be run alone. */
export interface TestPart {
	title: string;
	/** Runs the part. An error that it throws counts as a failure. */
	run: (context: TestPartContext) => Promise<TestPartReport>;
}
