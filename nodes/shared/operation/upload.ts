import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { isRecord } from '../form/value';
import { InvalidInput } from '../transport/errors';
import type { Upload } from '../transport/request';
import { joinFirst } from '../transport/joinFirst';

/** n8n's description of a file, with an ID for a file in its storage, or else the content in base64. */
const fileShape = z
	.object({
		mimeType: z.string(),
		fileName: z.string().optional().catch(undefined),
		id: z.string().min(1).optional().catch(undefined),
		data: z.string().optional().catch(undefined),
	})
	.passthrough();

type File = z.infer<typeof fileShape>;

/** The field where n8n 2 puts an item's files if the workflow's setting binaryMode is 'combined'. */
const COMBINED = '_files';

/** An item's files by their names, in either binary mode. */
function filesOf(item: INodeExecutionData | undefined): Record<string, unknown> {
	const combined = item?.json[COMBINED];
	return { ...item?.binary, ...(isRecord(combined) ? combined : {}) };
}

/**
 * Reads a file of an item from n8n's storage or memory.
 * @param given its name (in binary mode 'combined' also a path in the item's fields), or the file itself, as an
 * expression such as {{ $binary.data }} gives it
 * @throws InvalidInput when there is no such file, or n8n cannot read it
 */
export async function readUpload(
	context: IExecuteFunctions,
	index: number,
	given: string | Record<string, unknown>,
): Promise<Upload> {
	const files = filesOf(context.getInputData()[index]);
	const found = fileShape.safeParse(typeof given === 'string' ? named(context, index, given, files) : given);
	if (!found.success) throw missing(given, Object.keys(files));
	const { fileName = 'file', mimeType } = found.data;
	const content = await context.helpers
		.getBinaryDataBuffer(index, withContent(found.data, files))
		.catch(() => undefined);
	if (content) return { fileName, mimeType, content };
	throw new InvalidInput(
		'is a file that n8n cannot read',
		[],
		'It may have been deleted meanwhile: run the node that outputs it again.',
	);
}

/**
 * Reads a file with n8n's helper, which knows both binary modes. A file that the mode has not moved is found by its
 * name.
 */
function named(context: IExecuteFunctions, index: number, name: string, files: Record<string, unknown>): unknown {
	try {
		return context.helpers.assertBinaryData(index, name);
	} catch {
		return Object.hasOwn(files, name) ? files[name] : undefined;
	}
}

/**
 * The file in the form that n8n's helper needs. An expression gives it without its content; n8n before 2 does not accept
 * that, and if files are kept in memory only the item has the content.
 */
function withContent(file: File, files: Record<string, unknown>): IBinaryData {
	const { mimeType, id, data } = file;
	if (id !== undefined || data !== undefined)
		return { mimeType, data: data ?? '', ...(id === undefined ? {} : { id }) };
	const isSame = (other: File) => Object.entries(file).every(([name, value]) => other[name] === value);
	for (const each of Object.values(files)) {
		const other = fileShape.safeParse(each);
		if (other.success && other.data.data !== undefined && isSame(other.data))
			return { mimeType, data: other.data.data };
	}
	throw new InvalidInput(
		'is a file without its content',
		[],
		"Enter the name of the item's field that holds the file instead, such as 'data'.",
	);
}

function missing(given: string | Record<string, unknown>, there: string[]): InvalidInput {
	const advice =
		there.length > 0
			? `It has ${joinFirst(there.map((name) => `'${name}'`))}.`
			: 'It has no file at all: put a node that outputs one before this node.';
	return typeof given === 'string'
		? new InvalidInput(`names '${given}', but the item has no file of that name`, [], advice)
		: new InvalidInput(
				'is an object that is no file',
				[],
				`Enter the name of the item's field that holds the file. ${advice}`,
			);
}
