/** An error that the person can correct: its message is printed without a stack. */
export class Problem extends Error {
	override readonly name = 'Problem';
}
