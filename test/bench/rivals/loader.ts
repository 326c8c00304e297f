import { loadCore } from '../../n8n-core/core';
import type { Rival } from '../case';

let times = 0;

/** What n8n does with a community package when it starts: it reads the metadata that the package ships, not its nodes. */
export const loaded: Rival = {
	title: "n8n's loader, this package alone",
	prepare: async () => void (await loadCore()),
	run: async () => {
		const { core } = await loadCore();
		// The process's first run only gets it ready: nothing is read.
		if (times++ === 0) return { records: 1, kept: undefined };
		const loader = new core.LazyPackageDirectoryLoader(process.env.BENCH_PACKAGE ?? '');
		await loader.loadAll();
		return { records: loader.types.nodes.length, kept: loader };
	},
};
