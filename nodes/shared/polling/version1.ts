import { z } from 'zod';

import { begunKey, HASHED, hourOf, MAIN, newKind, type State } from './state';

const time = z.number().finite();
const ids = z.string().regex(/^[\w-]*$/);
const shape = z.object({
	version: z.literal(1),
	width: z.union([z.literal(9), z.literal(13)]),
	sources: z.record(z.tuple([time, time, z.number(), ids, z.array(z.tuple([time, ids])), z.number()])),
});

/**
 * What version 0.1.0 has stored, as far as it says what is needed here: nothing that it gave or saw is given, and what
 * came since is. Whether the settings are still the same cannot be told, so they are taken to be.
 * @returns undefined for anything else
 */
export function fromVersion1(
	stored: unknown,
	codes: string[],
	windowMs: number,
	watchesStatus: boolean,
): State | undefined {
	const parsed = shape.safeParse(stored);
	if (!parsed.success || parsed.data.width !== (watchesStatus ? 13 : 9)) return undefined;
	const { width, sources } = parsed.data;
	const state: State = new Map();
	for (const code of codes) {
		// A name is the kind's code, a colon and the company's short ID; a star stands for companies without a state.
		const own = Object.entries(sources).filter(([name]) => name.split(/[:*]/)[0] === code);
		if (own.length === 0) continue;
		const next = Math.max(...own.map(([, source]) => source[1]));
		const kind = { ...newKind('', '', next + windowMs), from: next, next };
		for (const [name, [from, , isWhole, known, vanished]] of own) {
			const listed: string[] = [];
			for (const text of [known, ...vanished.map(([, gone]) => gone)])
				for (let at = 0; at + width <= text.length; at += width) {
					const id = text.slice(at, at + 9);
					listed.push(id);
					const status = width > 9 ? HASHED + text.slice(at + 9, at + width) : '';
					kind.known.set(id, { hour: hourOf(next + windowMs), status });
				}
			if (name.endsWith('*')) continue;
			const key = name.slice(code.length + 1) || MAIN;
			kind.begun.add(begunKey(key));
			kind.timeless.set(key, { isWhole: isWhole === 1, ids: listed });
			if (from < next) kind.open.set(key, { from, page: 1, size: 0 });
		}
		state.set(code, kind);
	}
	return state;
}
