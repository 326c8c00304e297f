/** Something the person can do something about: its message is printed as it stands, without a stack. */
export class Problem extends Error {
	override readonly name = 'Problem';
}
