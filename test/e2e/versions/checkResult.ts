/** The result of a check. */
export interface CheckResult {
	/** The number of things that were checked. */
	checked: number;
	/** A sentence for each failure. */
	failures: string[];
}
