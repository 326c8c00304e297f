/** What all histories came to, for a reader to see that everything was exercised. */
export const figures = {
	histories: 0,
	polls: 0,
	created: 0,
	owed: 0,
	emitted: 0,
	missed: 0,
	repeated: 0,
	statusChangesEmitted: 0,
};
const events = new Map<string, number>();
export const count = (event: string): void => void events.set(event, (events.get(event) ?? 0) + 1);

/** @returns all of it, in two lines */
export function allFigures(): string {
	const listed = (entries: Iterable<[string, number]>) =>
		[...entries].map(([name, times]) => `${times} ${name}`).join(', ');
	return `${listed(Object.entries(figures))}\n${listed([...events].sort(([one], [other]) => one.localeCompare(other)))}\n`;
}
