import { z } from 'zod';

import type { Label } from '../form/label';
import { parseTexts } from '../form/text';
import { isRecord } from '../form/value';
import type { Field } from '../form/field';
import { readOptionalOperation, noteEntry } from './sources';
import type { Entry } from './listing';
import { COMPANY_FIELDS, multiPicker } from './picker';

const DETAILS = {
	contract: 'GET /api/leaderboard/form-details',
	shape: z.record(z.unknown()),
	scoped: true,
} as const;

const detail = z.object({
	text: z.string().nullish().catch(null),
	value: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
	extraDatas: z.unknown(),
});

/** The entries of a list and of the lists nested in them (deployment shapes: text, value, extraDatas). */
function entriesOf(list: unknown, above = ''): Entry[] {
	return (Array.isArray(list) ? list.filter(isRecord) : []).flatMap((each) => {
		const { text, value, extraDatas } = detail.parse(each);
		const name = above + (text ?? value ?? '');
		const own = value === null || value === undefined || value === '' ? [] : [{ id: value, name }];
		return [...own, ...entriesOf(extraDatas, name === '' ? '' : `${name}: `)];
	});
}

const KINDS = {
	action: { part: 'gamificationActionTypes', method: 'loadActionTypes', thing: 'action type' },
	difficulty: { part: 'gamificationScenarioDifficultyTypes', method: 'loadDifficultyTypes', thing: 'difficulty type' },
	product: { part: 'gamificationProductTypes', method: 'loadProducts', thing: 'product' },
} as const;

/**
 * The field that chooses several action types, difficulty types or products of the leaderboard.
 * @param typedIn the label of the field that takes them as text, for platforms that do not list them
 */
export function leaderboardPicker(label: Label, kind: keyof typeof KINDS, typedIn: string): Field<string[]> {
	const { part, method, thing } = KINDS[kind];
	const field = multiPicker({
		...label,
		method,
		thing,
		dependsOn: COMPANY_FIELDS,
		entries: async (filled) => {
			const entries = entriesOf((await readOptionalOperation(filled, DETAILS))?.[part]);
			if (entries.length === 0)
				return [noteEntry(`This platform does not list its ${thing}s: enter them in '${typedIn}'`)];
			// The same value may be nested in several others.
			return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
		},
	});
	return { ...field, parse: parseTexts };
}
