/** What every field tells a person. */
export interface Label {
	displayName: string;
	description?: string;
	hint?: string;
	placeholder?: string;
	required?: boolean;
}

/** The parts of a property that a label gives, without those it leaves out. */
export function labelOf(label: Label): Label {
	const { displayName, description, hint, placeholder, required } = label;
	return {
		displayName,
		...(required ? { required } : {}),
		...(placeholder ? { placeholder } : {}),
		...(description ? { description } : {}),
		...(hint ? { hint } : {}),
	};
}
