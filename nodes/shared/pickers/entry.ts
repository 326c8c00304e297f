/** One entry of a list to choose from; undefined is what a deployment does not send. */
export interface Entry {
	id: string | undefined;
	name: string | undefined;
	/** What tells it apart from another of the same name. */
	details?: string[];
}
