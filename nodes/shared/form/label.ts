/** The texts of a field, and whether it is required. */
export interface Label {
	displayName: string;
	description?: string;
	hint?: string;
	placeholder?: string;
	required?: boolean;
}

/** The parts of an n8n property that a label sets; absent ones are left out. */
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
