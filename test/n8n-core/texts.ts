/** Every text in a value, however deep and however hidden: names, values, causes, stacks. */
export function collectTexts(value: unknown, seen = new Set<unknown>()): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null || seen.has(value)) return [];
	seen.add(value);
	if (Buffer.isBuffer(value)) return [value.toString('latin1')];
	const inside: unknown[] = value instanceof Map ? [...value.entries()] : value instanceof Set ? [...value] : [];
	for (const key of Reflect.ownKeys(value)) inside.push(String(key), Reflect.get(value, key));
	return inside.flatMap((each) => collectTexts(each, seen));
}
