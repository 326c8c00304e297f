/** One entry of a list to choose from; undefined is what a deployment does not send. */
export interface Entry {
	id: string | undefined;
	name: string | undefined;
	/** What is shown before its name and is no part of it. */
	mark?: string;
	/** What tells it apart from another of the same name. */
	details?: string[];
}
