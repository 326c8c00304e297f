/** What a check came to. */
export interface CheckResult {
	/** How many things were looked at. */
	checked: number;
	/** A sentence for each that is wrong. */
	failures: string[];
}
