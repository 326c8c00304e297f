/** Joins WebP pictures to an animated one, as "WebP Container Specification" on developers.google.com describes it. */

/** A picture of an animation. All pictures of an animation have the same size. */
export interface Frame {
	/** A WebP file with one picture. */
	picture: Buffer;
	durationMs: number;
}

const CONTAINER_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** The chunks that contain a picture. All others describe the file. */
const PICTURE_CHUNKS = ['ALPH', 'VP8 ', 'VP8L'];
const ANIMATION_FLAG = 0x02;
const DO_NOT_BLEND_FLAG = 0x02;

/** Joins pictures to an animation that repeats forever. */
export function encodeAnimatedWebp(frames: Frame[], { width, height }: { width: number; height: number }): Buffer {
	const size = Buffer.concat([writeInteger(width - 1, 3), writeInteger(height - 1, 3)]);
	const header = buildChunk('VP8X', Buffer.concat([writeInteger(ANIMATION_FLAG, 4), size]));
	// The background color, and how often to repeat. Zero stands for forever.
	const animation = buildChunk('ANIM', Buffer.concat([writeInteger(0xffffffff, 4), writeInteger(0, 2)]));
	const frameChunks = frames.map(({ picture, durationMs }) =>
		buildChunk(
			'ANMF',
			Buffer.concat([
				writeInteger(0, 6), // the position of the picture
				size,
				writeInteger(durationMs, 3),
				writeInteger(DO_NOT_BLEND_FLAG, 1),
				...readPictureChunks(picture),
			]),
		),
	);
	return buildChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), header, animation, ...frameChunks]));
}

function writeInteger(value: number, bytes: number): Buffer {
	const buffer = Buffer.alloc(bytes);
	buffer.writeUIntLE(value, 0, bytes);
	return buffer;
}

function buildChunk(name: string, content: Buffer): Buffer {
	const padding = Buffer.alloc(content.length % 2);
	return Buffer.concat([Buffer.from(name), writeInteger(content.length, 4), content, padding]);
}

/** Reads the chunks with the picture from a WebP file, with their headers. */
function readPictureChunks(file: Buffer): Buffer[] {
	const chunks: Buffer[] = [];
	let position = CONTAINER_HEADER_BYTES;
	while (position < file.length) {
		const name = file.toString('latin1', position, position + 4);
		const contentBytes = file.readUInt32LE(position + 4);
		const end = position + CHUNK_HEADER_BYTES + contentBytes + (contentBytes % 2);
		if (PICTURE_CHUNKS.includes(name)) chunks.push(file.subarray(position, end));
		position = end;
	}
	return chunks;
}
