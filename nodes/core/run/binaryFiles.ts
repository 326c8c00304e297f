import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { FileStore } from '../response/responseHandler';
import { toError, InvalidInputError } from '../http/errors';
import type { FileUpload } from '../http/request';

/** A file in the form in which an expression returns it: with its ID in n8n's storage, or with its content in base64. */
const binaryDataSchema = z
	.object({
		mimeType: z.string(),
		data: z.string().catch(''),
		id: z.string().optional(),
		fileName: z.string().optional(),
	})
	.refine(({ id, data }) => id !== undefined || data !== '');

/** Parses a file. @throws ZodError if the value isn't a file, or if the file has no content */
function parseBinaryData(value: unknown): IBinaryData {
	const { mimeType, data, id, fileName } = binaryDataSchema.parse(value);
	return { mimeType, data, id, fileName };
}

/**
 * Reads a file of an item, in both of n8n's modes for binary data (n8n 5).
 * @param reference the name of the item's field with the file, or the file itself, as the expression {{ $binary.data }} returns it
 * @param options.readsContent false to check only that the file exists
 * @throws InvalidInputError if there is no such file
 */
export async function readUpload(
	{ helpers }: IExecuteFunctions,
	index: number,
	reference: string | Record<string, unknown>,
	{ readsContent }: { readsContent: boolean },
): Promise<FileUpload> {
	try {
		const file = typeof reference === 'string' ? reference : parseBinaryData(reference);
		const { fileName = 'file', mimeType } = helpers.assertBinaryData(index, file);
		const content = readsContent ? await helpers.getBinaryDataBuffer(index, file) : undefined;
		return { fileName, mimeType, content };
	} catch {
		throw createNoFileError(reference);
	}
}

const createNoFileError = (reference: string | Record<string, unknown>) =>
	new InvalidInputError(
		typeof reference === 'string'
			? `names '${reference}', but the item has no such file`
			: 'is no file that n8n can read',
		[],
		"Enter the name of the item's field that holds the file, such as 'data', and put a node that outputs one before this node.",
	);

const fileSizeSchema = z.object({ bytes: z.number() });

/**
 * Makes a file name unique by adding a number before its extension. Uppercase and lowercase letters count as equal, as on Windows.
 * @param usedNames the names of the other files, in lowercase
 */
function makeUniqueName(fileName: string, usedNames: ReadonlySet<string>): string {
	const [, stem = fileName, extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(fileName) ?? [];
	let uniqueName = fileName;
	for (let number = 2; usedNames.has(uniqueName.toLowerCase()); number++) uniqueName = `${stem}-${number}${extension}`;
	return uniqueName;
}

/** Creates a store that saves files in n8n's storage for binary data. No two files of a run get the same name. */
export function createFileStore({ helpers }: IExecuteFunctions): FileStore {
	const usedNames = new Set<string>();
	const { prepareBinaryData } = helpers;
	return {
		store: async (content, wantedName, mimeType) => {
			const fileName = makeUniqueName(wantedName, usedNames);
			usedNames.add(fileName.toLowerCase());
			try {
				// n8n's storage accepts any readable stream, which the response to a request with encoding 'stream' is.
				const binary = await prepareBinaryData(content as Parameters<typeof prepareBinaryData>[0], fileName, mimeType);
				const bytes = await readFileSize(binary, helpers);
				// The output has no empty file, so its name is free again.
				if (bytes === 0) usedNames.delete(fileName.toLowerCase());
				return { binary, bytes, fileName };
			} catch (error) {
				// The file was not stored, so its name is free again, for example for another try.
				usedNames.delete(fileName.toLowerCase());
				throw toError(error);
			}
		},
	};
}

/** Returns the size of a stored file in bytes. n8n 1.123 doesn't return it together with the file (n8n 12). */
async function readFileSize(binary: IBinaryData, { getBinaryMetadata }: IExecuteFunctions['helpers']): Promise<number> {
	const fileWithSize = fileSizeSchema.safeParse(binary);
	if (fileWithSize.success) return fileWithSize.data.bytes;
	if (binary.id !== undefined) return (await getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
