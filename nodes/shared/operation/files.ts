import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { FileStore } from '../answer/answer';

const sizeShape = z.object({ bytes: z.number() });

/** n8n's storage for binary data, for a node's run. */
export function fileStoreOf({ helpers }: IExecuteFunctions): FileStore {
	return {
		store: async (stream, fileName, mimeType) => {
			const { prepareBinaryData, getBinaryMetadata } = helpers;
			// n8n's storage accepts any readable stream, which an answer with encoding 'stream' is.
			const binary = await prepareBinaryData(stream as Parameters<typeof prepareBinaryData>[0], fileName, mimeType);
			return { binary, bytes: await sizeOf(binary, getBinaryMetadata) };
		},
	};
}

/**
 * The size of a stored file in bytes. n8n 1.123 does not return it with the file, so it is read from the storage or the
 * data.
 */
async function sizeOf(binary: IBinaryData, metadataOf: (id: string) => Promise<{ fileSize: number }>): Promise<number> {
	const given = sizeShape.safeParse(binary);
	if (given.success) return given.data.bytes;
	if (binary.id !== undefined) return (await metadataOf(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
