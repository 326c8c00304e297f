import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { FileStore } from '../response/responseHandler';
import { toError, InvalidInputError } from '../http/errors';
import type { FileUpload } from '../http/request';

/** The schema of a file as an expression returns it: with its ID in n8n's storage, or with its content in base64. */
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
 * Reads a file of an input item. Both of n8n's modes for binary data are supported (n8n 5).
 * @param reference the name of the item's field that contains the file, or the file itself as the expression {{ $binary.data }} returns it
 * @param options.shouldReadContent false to check only that the file exists, without reading its content
 * @throws InvalidInputError if there is no such file
 */
export async function readUpload(
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	reference: string | Record<string, unknown>,
	{ shouldReadContent }: { shouldReadContent: boolean },
): Promise<FileUpload> {
	try {
		const file = typeof reference === 'string' ? reference : parseBinaryData(reference);
		const { fileName = 'file', mimeType } = helpers.assertBinaryData(itemIndex, file);
		const content = shouldReadContent ? await helpers.getBinaryDataBuffer(itemIndex, file) : undefined;
		return { fileName, mimeType, content };
	} catch {
		throw createNoFileError(reference);
	}
}

const createNoFileError = (reference: string | Record<string, unknown>) =>
	new InvalidInputError(
		typeof reference === 'string'
			? `names '${reference}', but the item has no such file`
			: 'is not a file that n8n can read',
		[],
		"Enter the name of the input field that has the file, such as 'data'. A node before this one must output the file.",
	);

const fileSizeSchema = z.object({ bytes: z.number() });

/**
 * Makes a file name unique by adding a number before its extension. Uppercase and lowercase letters count as equal, as on Windows.
 * @param usedNames the names of the other files, in lowercase
 */
function makeUniqueName(fileName: string, usedNames: ReadonlySet<string>): string {
	const [, stem = fileName, extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(fileName) ?? [];
	let uniqueName = fileName;
	for (let suffix = 2; usedNames.has(uniqueName.toLowerCase()); suffix++) uniqueName = `${stem}-${suffix}${extension}`;
	return uniqueName;
}

/** Creates a store that saves files in n8n's storage for binary data. Each file of a run gets a different name. */
export function createFileStore({ helpers }: IExecuteFunctions): FileStore {
	const usedNames = new Set<string>();
	const { prepareBinaryData } = helpers;
	return {
		store: async (content, wantedName, mimeType) => {
			const fileName = makeUniqueName(wantedName, usedNames);
			usedNames.add(fileName.toLowerCase());
			try {
				// n8n's storage accepts any readable stream. The response to a request with the encoding 'stream' is one, although its
				// type doesn't say so.
				const binary = await prepareBinaryData(content as Parameters<typeof prepareBinaryData>[0], fileName, mimeType);
				const bytes = await readFileSize(binary, helpers);
				// An empty file is left out of the output, so another file can use its name.
				if (bytes === 0) usedNames.delete(fileName.toLowerCase());
				return { binary, bytes, fileName };
			} catch (error) {
				// The file was not stored, so another try or another file can use its name.
				usedNames.delete(fileName.toLowerCase());
				throw toError(error);
			}
		},
	};
}

/** Returns the size of a stored file in bytes. n8n 1.123 doesn't return the size when it stores the file (n8n 12). */
async function readFileSize(binary: IBinaryData, { getBinaryMetadata }: IExecuteFunctions['helpers']): Promise<number> {
	const fileWithSize = fileSizeSchema.safeParse(binary);
	if (fileWithSize.success) return fileWithSize.data.bytes;
	if (binary.id !== undefined) return (await getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}
