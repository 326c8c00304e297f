import { countBy } from 'lodash';
import type { INodePropertyOptions } from 'n8n-workflow';

import { writeEntry } from './entryText';
import { normalized, type Choice } from '../values';

/** The mark before the name of a child company, which follows its parent in a list. */
export const CHILD_MARK = '↳ ';

const NO_BREAK_SPACE = '\u00a0';

/** How many of an ID's last characters tell entries of one name apart. */
const END_LENGTH = 8;

/** A text as a list shows it: n8n would evaluate one that begins with "=" when the workflow runs (n8n-facts 16). */
const asText = (text: string) => (text.startsWith('=') ? `${NO_BREAK_SPACE}${text}` : text);

/** The text that a list shows so. */
export const fromText = (shown: string) => (shown.startsWith(`${NO_BREAK_SPACE}=`) ? shown.slice(1) : shown);

/** Lists the entries for a single choice: n8n saves both the value and the name. */
export const shownChoices = (entries: Choice[]) =>
	toldApart(entries).map(({ id, name }) => ({ name: asText(name), value: asText(id) }));

/** Lists the entries for a choice of several: n8n saves only the values, so each value has both ID and name. */
export function showSeveral(entries: Choice[]): INodePropertyOptions[] {
	const names = toldApart(entries).map(({ name }) => asText(name));
	return entries.map(({ id, name }, index) => ({
		name: names[index] ?? name,
		value: asText(writeEntry({ id, name: plainName(name) })),
	}));
}

/** The name as the service has it, of one that is shown in a list. n8n saves the latter. */
export const plainName = (shown: string) => {
	const text = fromText(shown);
	return (text.startsWith(CHILD_MARK) ? text.slice(CHILD_MARK.length) : text).replace(/ \(…[^()]*\)$/, '');
};

/** Adds the end of its ID to each name that several entries have: "Twin Peaks (…0d9a4c6b)". */
function toldApart(entries: Choice[]): Choice[] {
	const key = ({ name }: Choice) => normalized(plainName(name));
	const counts = countBy(entries, key);
	return entries.map((entry) =>
		counts[key(entry)] === 1 ? entry : { ...entry, name: `${entry.name} (…${entry.id.slice(-END_LENGTH)})` },
	);
}

/** A sentence as the entry of a list; chosen by mistake, it is a name that nothing has. */
export const notice = (sentence: string): INodePropertyOptions => ({ name: sentence, value: '?' });
