import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { FileStore } from '../answer/answer';

const sizeShape = z.object({ bytes: z.number() });

/** n8n's store of files, as a node has it. */
export function fileStoreOf({ helpers }: IExecuteFunctions): FileStore {
	return {
		store: async (stream, fileName, mimeType) => {
			const { prepareBinaryData, getBinaryMetadata } = helpers;
			// n8n's store takes any readable stream; what arrived with encoding 'stream' is one.
			const binary = await prepareBinaryData(stream as Parameters<typeof prepareBinaryData>[0], fileName, mimeType);
			return { binary, bytes: await sizeOf(binary, getBinaryMetadata) };
		},
	};
}

/** A stored file's size in bytes. n8n 1.123 gives none beside the file, so its store is asked, or the data counted. */
async function sizeOf(binary: IBinaryData, metadataOf: (id: string) => Promise<{ fileSize: number }>): Promise<number> {
	const given = sizeShape.safeParse(binary);
	if (given.success) return given.data.bytes;
	if (binary.id !== undefined) return (await metadataOf(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
