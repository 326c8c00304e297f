/** The text in docs/publishing.md in place of a value that the package's owner has not filled in yet. */
const PLACEHOLDER = 'TO BE FILLED IN';

/** A row of the table in docs/publishing.md: a value that only the package's owner knows. */
export interface OwnerFact {
	name: string;
	value: string;
	/** The paths of the files that must contain the value. */
	files: string[];
}

/** Parses the rows of the table in docs/publishing.md. */
export function parseOwnerFacts(page: string): OwnerFact[] {
	const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].slice(2);
	return rows.map(([, name = '', value = '', files = '']) => ({ name, value, files: files.split(', ') }));
}

/**
 * Returns true if a file's text contains the value. If it is the commit of a GitHub action, every line that uses the action must
 * have it.
 */
function hasValue({ name, value }: OwnerFact, text: string): boolean {
	const action = /^Commit of (.+)$/.exec(name)?.[1];
	const uses = [...text.matchAll(/uses: (\S+)@(\S+)/g)].filter(
		([, usedAction]) => action && usedAction?.startsWith(action),
	);
	return text.includes(value) && uses.every(([, , commit]) => commit === value);
}

/**
 * Finds values that are not filled in yet, or that are missing in a file that must contain them.
 * @param read returns the text of a file
 * @returns a text for each problem
 */
export function findOwnerFactProblems(page: string, read: (file: string) => string): string[] {
	return parseOwnerFacts(page).flatMap((fact) => {
		const { name, value, files } = fact;
		if (value === PLACEHOLDER) return [`${name}: to be filled in in docs/publishing.md`];
		return files
			.filter((file) => !hasValue(fact, read(file)))
			.map((file) => `${name}: ${file} does not have ${value} everywhere`);
	});
}
