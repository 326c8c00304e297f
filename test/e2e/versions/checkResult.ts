/** The result of a check. A check usually covers many nodes, cases or files. */
export interface CheckResult {
	/** The number of nodes, cases, files or log lines that were checked. */
	checkedCount: number;
	/** A sentence for each failure. */
	failures: string[];
}
