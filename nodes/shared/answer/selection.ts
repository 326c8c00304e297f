import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../form/value';
import { similarTo } from '../transport/alike';
import { joinFirst } from '../transport/joinFirst';
import { hasField, pickFields } from './output';

/** The company of an item, which is added after its fields were chosen. */
const ADDED = ['companyName', 'companyResourceId'];
const MOST_SIMILAR = 3;

/** The fields that a run's items are reduced to ('Selected Fields'), and which of their names no record has. */
export class Selection {
	private readonly wanted = new Set<string>();
	private readonly found = new Set<string>(ADDED);
	/** The names of the fields that records have, as long as a wanted one is missing. */
	private readonly present = new Set<string>();

	/** Reduces a record to some of its fields, as `pickFields`. */
	readonly pick = (record: IDataObject, names: readonly string[]): IDataObject => {
		for (const name of names) {
			this.wanted.add(name);
			if (!this.found.has(name) && hasField(record, name)) this.found.add(name);
		}
		if (names.some((name) => !this.found.has(name))) for (const name of namesIn(record)) this.present.add(name);
		return pickFields(record, names);
	};

	/** A hint for the person, if no record had a field of some name; undefined otherwise. */
	remark(): string | undefined {
		const missing = [...this.wanted].filter((name) => !this.found.has(name));
		const sentences = missing.map((name) => {
			const present = [...this.present];
			const similar = similarTo(name.toLowerCase(), present, (each) => each.toLowerCase());
			const others =
				similar.length > 0
					? `Similar fields: ${similar.slice(0, MOST_SIMILAR).join(', ')}.`
					: `The fields are: ${joinFirst(present)}.`;
			return `'Fields' has '${name}', which is in none of the records. ${others}`;
		});
		return sentences.length > 0 ? joinFirst(sentences, ' ', MOST_SIMILAR) : undefined;
	}
}

/** The names of a record's fields, and of those inside them with a dot: "coverImage.name". */
const namesIn = (record: IDataObject): string[] =>
	Object.entries(record).flatMap(([name, value]) => [
		name,
		...(isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : []),
	]);
