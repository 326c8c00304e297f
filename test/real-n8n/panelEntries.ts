/** A heading on a node's page in n8n's node panel, and the entries below it. */
export interface PanelGroup {
	/** For example, CAMPAIGN ACTIONS. It is empty if the section has no headings, because the node has one resource. */
	heading: string;
	entries: string[];
}

/** The entries on a node's page in n8n's node panel: events that start a workflow (`triggers`), and operations (`actionGroups`). */
export interface PanelEntries {
	triggers: string[];
	actionGroups: PanelGroup[];
}

/** Groups the entries of a section by the headings between them. An entry that is a heading has no name. */
export function groupPanelEntries(entries: Array<{ name?: string; text: string }>): PanelGroup[] {
	const groups: PanelGroup[] = [];
	for (const { name, text } of entries) {
		const lastGroup = groups.at(-1);
		if (name === undefined) groups.push({ heading: text, entries: [] });
		else if (lastGroup) lastGroup.entries.push(name);
		else groups.push({ heading: '', entries: [name] });
	}
	return groups;
}
