/** The placeholder in docs/publishing.md for a value that only the package's owner knows. */
const OPEN_VALUE = 'TO BE FILLED IN';

/** A row of the table in docs/publishing.md: a value that only the package's owner knows. */
export interface OwnerFact {
	name: string;
	value: string;
	/** The paths of the files that must contain the value. */
	files: string[];
}

/** Parses the table in docs/publishing.md. */
export function parseOwnerFacts(page: string): OwnerFact[] {
	const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].slice(2);
	return rows.map(([, name = '', value = '', files = '']) => ({ name, value, files: files.split(', ') }));
}

/** Returns true if a file contains the value. The commit of a GitHub action must be in every line that uses the action. */
function hasValue({ name, value }: OwnerFact, text: string): boolean {
	const action = /^Commit of (.+)$/.exec(name)?.[1];
	const uses = [...text.matchAll(/uses: (\S+)@(\S+)/g)].filter(
		([, usedAction]) => action && usedAction?.startsWith(action),
	);
	return text.includes(value) && uses.every(([, , commit]) => commit === value);
}

/**
 * Finds values that are not filled in yet, or that are missing in one of their files.
 * @param read returns the text of a file
 * @returns a sentence for each
 */
export function findOpenFacts(page: string, read: (file: string) => string): string[] {
	return parseOwnerFacts(page).flatMap((fact) => {
		const { name, value, files } = fact;
		if (value === OPEN_VALUE) return [`${name}: to be filled in in docs/publishing.md`];
		return files
			.filter((file) => !hasValue(fact, read(file)))
			.map((file) => `${name}: ${file} does not have ${value} everywhere`);
	});
}
