import type { Field } from '../fields/field';

/** Creates a notice for the form of a trigger. n8n shows the text, and the user can't enter anything. */
export const noticeField = (text: string): Field<undefined> => ({
	property: { displayName: text, type: 'notice', default: '' },
	parse: () => undefined,
});
