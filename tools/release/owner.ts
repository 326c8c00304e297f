/** What only the package's owner can fill in: docs/publishing.md says what, and where it stands. */
const OPEN = 'TO BE FILLED IN';

/** A row of the page's table. */
export interface Fact {
	what: string;
	value: string;
	/** The files that must have the value. */
	files: string[];
}

export function ownersFacts(page: string): Fact[] {
	const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].slice(2);
	return rows.map(([, what = '', value = '', files = '']) => ({ what, value, files: files.split(', ') }));
}

/** Whether a file has a value: of an action's commit, in each place that uses the action. */
function stands({ what, value }: Fact, text: string): boolean {
	const action = /^Commit of (.+)$/.exec(what)?.[1];
	const used = [...text.matchAll(/uses: (\S+)@(\S+)/g)].filter(([, name]) => action && name?.startsWith(action));
	return text.includes(value) && used.every(([, , commit]) => commit === value);
}

/**
 * What is not filled in yet, and what does not stand in a file that should have it.
 * @param read gives a file's text
 */
export function openFacts(page: string, read: (file: string) => string): string[] {
	return ownersFacts(page).flatMap((fact) => {
		const { what, value, files } = fact;
		if (value === OPEN) return [`${what}: to be filled in in docs/publishing.md`];
		return files
			.filter((file) => !stands(fact, read(file)))
			.map((file) => `${what}: ${file} does not have ${value} everywhere`);
	});
}
