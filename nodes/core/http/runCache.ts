/** The key of a group of values in a run cache. Each use of the cache has a key of its own. @typeParam T the type of the values */
export class RunCacheKey<T> {
	/** Makes keys for different types of values incompatible for the compiler. It is never set. */
	declare readonly valueType: T;
}

/**
 * Keeps values until the end of a run, such as lists that several items need. Every client has its own cache, and every run has its
 * own client.
 */
export class RunCache {
	private readonly mapsByKey = new Map<RunCacheKey<unknown>, Map<string, unknown>>();

	/** Returns the map with the values of one group. The first call for a key creates the map. */
	getMap<T>(key: RunCacheKey<T>): Map<string, T> {
		let map = this.mapsByKey.get(key);
		if (!map) {
			map = new Map();
			this.mapsByKey.set(key, map);
		}
		// The cast is safe, because only this method adds maps, and each key stands for one type of value.
		return map as Map<string, T>;
	}
}
