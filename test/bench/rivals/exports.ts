/** Ways to save a large export. */
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { z } from 'zod';

import { storeBinary } from '../../n8n-core';
import type { Rival } from '../case';
import { searchBody, type Stage } from '../stage';

const file = z.object({ bytes: z.number() });

/** This package: the file goes to n8n's own store of files. */
export const exported: Rival = {
	title: "this package, to n8n's file storage",
	prepare: async (stage) => await stage.load('ours.Leaderboard'),
	run: async (stage) => {
		const [item] = await stage.run([
			{
				name: 'Export',
				type: 'n8n-nodes-security-awareness.securityAwarenessLeaderboard',
				parameters: { resource: 'leaderboard', operation: 'export', companyScope: 'own', allPages: true },
			},
		]);
		return { records: file.parse(item?.json).bytes, kept: item };
	},
	clear: async (stage) => await stage.clearFiles(),
};

async function ask(stage: Stage): Promise<Readable> {
	const { filter, ...pagination } = searchBody('Email', true, { pageNumber: 1, pageSize: 100 });
	const data = { pagination, filter, reportAllPages: true, exportType: 'CSV' };
	return (await stage.ask('/api/leaderboard/get-all/export', {
		method: 'POST',
		data,
		responseType: 'stream',
	})) as Readable;
}

/** The speed of n8n's file storage: bare axios, from the socket into that storage. */
export const stored: Rival = {
	title: 'bare axios stream into that storage',
	run: async (stage) => {
		const binary = await storeBinary(await ask(stage), { fileName: 'export.csv', mimeType: 'text/csv' });
		return { records: file.parse(binary).bytes, kept: binary };
	},
	clear: async (stage) => await stage.clearFiles(),
};

/** The lower limit: bare axios, from the socket into a file. */
export const streamed: Rival = {
	title: 'bare axios stream into a file',
	run: async (stage) => {
		const path = join(stage.folder, 'export.csv');
		await pipeline(await ask(stage), createWriteStream(path));
		return { records: (await stat(path)).size, kept: path };
	},
	clear: async (stage) => await rm(join(stage.folder, 'export.csv'), { force: true }),
};
