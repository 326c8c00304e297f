import { countBy } from 'lodash';
import type { INodePropertyOptions } from 'n8n-workflow';

import { formatEntry } from './entryText';
import { isRecord, normalizeText, type Choice } from '../values';

/** The mark in front of the name of a child company in a list. Each child company is listed after its parent company. */
export const CHILD_MARK = '↳ ';

const NO_BREAK_SPACE = '\u00a0';

/** Entries with the same name are distinguished by showing this number of characters from the end of their IDs. */
const ID_ENDING_LENGTH = 8;

/** Escapes a text that begins with "=", because n8n would evaluate such a text when the workflow runs (n8n 16). */
const escapeLabel = (text: string) => (text.startsWith('=') ? `${NO_BREAK_SPACE}${text}` : text);

/** Restores the text that `escapeLabel` escaped. */
export const unescapeLabel = (label: string) => (label.startsWith(`${NO_BREAK_SPACE}=`) ? label.slice(1) : label);

/** Converts choices to the entries of a resource locator's list. n8n saves both the value and the name of the selected entry. */
export const buildLocatorEntries = (choices: Choice[]) =>
	makeNamesUnique(choices).map(({ id, name }) => ({ name: escapeLabel(name), value: escapeLabel(id) }));

/**
 * Converts choices to the entries of a multi-select list. n8n saves only the value of a selected entry, so each value contains both ID and
 * name.
 */
export function buildMultiSelectEntries(choices: Choice[]): INodePropertyOptions[] {
	const labels = makeNamesUnique(choices).map(({ name }) => escapeLabel(name));
	return choices.map(({ id, name }, index) => ({
		name: labels[index] ?? name,
		value: escapeLabel(formatEntry({ id, name: removeLabelMarks(name) })),
	}));
}

/**
 * Removes everything from a label that the node added to the platform's name: the escape character, the mark of a child company, and the
 * end of the ID.
 */
export function removeLabelMarks(label: string): string {
	const text = unescapeLabel(label);
	const textWithoutChildMark = text.startsWith(CHILD_MARK) ? text.slice(CHILD_MARK.length) : text;
	return textWithoutChildMark.replace(/ \(…[^()]*\)$/, '');
}

/** Returns the platform's name for the entry that the user selected from a list, or '' if the resource locator has no name. */
export const readChosenName = (raw: unknown): string =>
	isRecord(raw) && typeof raw.cachedResultName === 'string' ? removeLabelMarks(raw.cachedResultName) : '';

/**
 * Returns the choices with unique names. If several choices have the same name, the end of the ID is added to each: "Twin Peaks
 * (…0d9a4c6b)".
 */
function makeNamesUnique(choices: Choice[]): Choice[] {
	const normalizeName = ({ name }: Choice) => normalizeText(removeLabelMarks(name));
	const countsByName = countBy(choices, normalizeName);
	return choices.map((choice) => {
		if (countsByName[normalizeName(choice)] === 1) return choice;
		return { ...choice, name: `${choice.name} (…${choice.id.slice(-ID_ENDING_LENGTH)})` };
	});
}

/**
 * Creates an entry that only shows a message to the user. If the user selects it by mistake, its value '?' is looked up as a name, which no
 * record has.
 */
export const createNoticeEntry = (sentence: string): INodePropertyOptions => ({ name: sentence, value: '?' });
