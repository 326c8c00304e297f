import { guid } from './random';
import type { Row } from './http';

/** Records that were added to, or removed from, the beginning of a list while it was read page by page. */
export class Overlays {
	readonly #steps = new Map<string, Array<'insert' | 'remove'>>();

	/** From now on the list has one record more, or one less, at its head. */
	add(list: string, step: 'insert' | 'remove'): void {
		const steps = this.#steps.get(list) ?? [];
		steps.push(step);
		this.#steps.set(list, steps);
	}

	/** Forgets all of it. */
	clear(): void {
		this.#steps.clear();
	}

	/**
	 * The list as it is now. Applied after sorting, at the beginning of the list, so that the records of every later page
	 * shift.
	 */
	apply(list: string, rows: Row[], idField: string, nameField: string): Row[] {
		let result = rows;
		for (const [at, step] of (this.#steps.get(list) ?? []).entries()) {
			const [first, ...rest] = result;
			if (!first) return result;
			if (step === 'remove') {
				result = rest;
				continue;
			}
			const alone = 'children' in first ? { children: [] } : {};
			result = [
				{ ...first, ...alone, [idField]: guid(`appeared ${list} ${at}`), [nameField]: `Appeared ${at + 1}` },
				...result,
			];
		}
		return result;
	}
}
