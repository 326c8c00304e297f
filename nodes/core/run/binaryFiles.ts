import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { FileStore } from '../response/responseHandler';
import { InvalidInput, rethrow } from '../http/errors';
import type { Upload } from '../http/request';

/** A file as an expression gives it: with an ID in n8n's storage, or with its content in base64. */
const fileShape = z
	.object({
		mimeType: z.string(),
		data: z.string().catch(''),
		id: z.string().optional(),
		fileName: z.string().optional(),
	})
	.refine(({ id, data }) => id !== undefined || data !== '');

/** @throws ZodError for an object that is no file, or is one without its content */
function fileOf(given: unknown): IBinaryData {
	const { mimeType, data, id, fileName } = fileShape.parse(given);
	return { mimeType, data, id, fileName };
}

/**
 * Reads a file of an item, in either binary mode (n8n-facts 5).
 * @param given its name, or the file itself, as the expression {{ $binary.data }} gives it
 * @param isRead false to check only that the file exists, without reading its content
 * @throws InvalidInput when there is no such file
 */
export async function readUpload(
	{ helpers }: IExecuteFunctions,
	index: number,
	given: string | Record<string, unknown>,
	isRead: boolean,
): Promise<Upload> {
	try {
		const file = typeof given === 'string' ? given : fileOf(given);
		const { fileName = 'file', mimeType } = helpers.assertBinaryData(index, file);
		const content = isRead ? await helpers.getBinaryDataBuffer(index, file) : undefined;
		return { fileName, mimeType, content };
	} catch {
		throw noFile(given);
	}
}

const noFile = (given: string | Record<string, unknown>) =>
	new InvalidInput(
		typeof given === 'string' ? `names '${given}', but the item has no such file` : 'is no file that n8n can read',
		[],
		"Enter the name of the item's field that holds the file, such as 'data', and put a node that outputs one before this node.",
	);

const sizeShape = z.object({ bytes: z.number() });

/** A file name that is not taken: with a number before its ending, if it is. Capital letters make no difference (Windows). */
function freeName(fileName: string, taken: ReadonlySet<string>): string {
	const [, stem = fileName, ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(fileName) ?? [];
	for (let [number, name] = [2, fileName]; ; name = `${stem}-${number++}${ending}`)
		if (!taken.has(name.toLowerCase())) return name;
}

/** n8n's storage for binary data, for a node's run: no two files in it have the same name. */
export function fileStoreOf({ helpers }: IExecuteFunctions): FileStore {
	const taken = new Set<string>();
	const { prepareBinaryData } = helpers;
	return {
		store: async (content, wanted, mimeType) => {
			const fileName = freeName(wanted, taken);
			taken.add(fileName.toLowerCase());
			try {
				// n8n's storage accepts any readable stream, which an answer with encoding 'stream' is.
				const binary = await prepareBinaryData(content as Parameters<typeof prepareBinaryData>[0], fileName, mimeType);
				const bytes = await sizeOf(binary, helpers);
				if (bytes === 0) taken.delete(fileName.toLowerCase());
				return { binary, bytes, fileName };
			} catch (error) {
				// It is asked for again, or there is no such file.
				taken.delete(fileName.toLowerCase());
				return await rethrow(error);
			}
		},
	};
}

/** The size of a stored file in bytes, which n8n 1.123 does not return with the file (n8n-facts 12). */
async function sizeOf(binary: IBinaryData, { getBinaryMetadata }: IExecuteFunctions['helpers']): Promise<number> {
	const given = sizeShape.safeParse(binary);
	if (given.success) return given.data.bytes;
	if (binary.id !== undefined) return (await getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
