/** Collects every text in a value at any depth, including property names and the causes and stacks of errors. */
export function collectTexts(value: unknown, visitedObjects = new Set<unknown>()): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null || visitedObjects.has(value)) return [];
	visitedObjects.add(value);
	if (Buffer.isBuffer(value)) return [value.toString('latin1')];
	const innerValues: unknown[] = [];
	if (value instanceof Map) innerValues.push(...value.entries());
	else if (value instanceof Set) innerValues.push(...value);
	for (const key of Reflect.ownKeys(value)) innerValues.push(String(key), Reflect.get(value, key));
	return innerValues.flatMap((innerValue) => collectTexts(innerValue, visitedObjects));
}
