import { countBy } from 'lodash';
import type { INodePropertyOptions } from 'n8n-workflow';

import { writeEntry } from './entryText';
import { normalizeText, type Choice } from '../values';

/** The mark before the name of a child company, which is listed after its parent. */
export const CHILD_MARK = '↳ ';

const NO_BREAK_SPACE = '\u00a0';

/** The number of characters from the end of an ID that are shown to distinguish entries with the same name. */
const ID_ENDING_LENGTH = 8;

/** Escapes a text that begins with "=", because n8n would evaluate such a text when the workflow runs (n8n 16). */
const escapeLabel = (text: string) => (text.startsWith('=') ? `${NO_BREAK_SPACE}${text}` : text);

/** Restores the text that `escapeLabel` escaped. */
export const unescapeLabel = (label: string) => (label.startsWith(`${NO_BREAK_SPACE}=`) ? label.slice(1) : label);

/** Builds the entries of a resource locator's list. n8n saves both the value and the name of the selected entry. */
export const buildLocatorEntries = (choices: Choice[]) =>
	makeNamesUnique(choices).map(({ id, name }) => ({ name: escapeLabel(name), value: escapeLabel(id) }));

/** Builds the entries of a multi-select list. n8n saves only the value of a selected entry, so each value contains both ID and name. */
export function buildMultiSelectEntries(choices: Choice[]): INodePropertyOptions[] {
	const labels = makeNamesUnique(choices).map(({ name }) => escapeLabel(name));
	return choices.map(({ id, name }, index) => ({
		name: labels[index] ?? name,
		value: escapeLabel(writeEntry({ id, name: removeLabelMarks(name) })),
	}));
}

/** Reduces a label to the platform's own name: removes the escape character, the mark of a child company, and the end of the ID. */
export function removeLabelMarks(label: string): string {
	const text = unescapeLabel(label);
	const withoutChildMark = text.startsWith(CHILD_MARK) ? text.slice(CHILD_MARK.length) : text;
	return withoutChildMark.replace(/ \(…[^()]*\)$/, '');
}

/** Adds the end of the ID to every name that several entries have: "Twin Peaks (…0d9a4c6b)". */
function makeNamesUnique(choices: Choice[]): Choice[] {
	const getKey = ({ name }: Choice) => normalizeText(removeLabelMarks(name));
	const counts = countBy(choices, getKey);
	return choices.map((choice) => {
		if (counts[getKey(choice)] === 1) return choice;
		return { ...choice, name: `${choice.name} (…${choice.id.slice(-ID_ENDING_LENGTH)})` };
	});
}

/** Creates an entry that shows a sentence. If the user selects it by mistake, its value is a name that no record has. */
export const createNotice = (sentence: string): INodePropertyOptions => ({ name: sentence, value: '?' });
