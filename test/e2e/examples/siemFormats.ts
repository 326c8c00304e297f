/**
 * Readers of the three formats in which example 26 sends events. They are written from the public descriptions of the formats: Splunk's
 * HTTP Event Collector, ArcSight's Common Event Format (version 0), and the OCSF schema 1.6.0.
 */
import { z } from 'zod';

const eventSchema = z.object({ id: z.string().min(32) }).passthrough();

const hecSchema = z.strictObject({
	time: z.number(),
	source: z.literal('security-awareness'),
	sourcetype: z.enum(['security-awareness:audit', 'security-awareness:person']),
	event: eventSchema,
});

/** Reads an event of Splunk's collector. @throws ZodError for another line */
export const readHecEvent = (line: string) => hecSchema.parse(JSON.parse(line));

/** An event in the Common Event Format. */
export interface CefEvent {
	header: string[];
	extension: Record<string, string>;
}

/**
 * Reads a line in the Common Event Format. In the header, `\` and `|` are escaped. In the extension, `\`, `=` and line breaks are.
 * @throws Error if the line isn't in this format
 */
export function readCefEvent(line: string): CefEvent {
	const header: string[] = [];
	let field = '';
	let position = 0;
	while (header.length < 7) {
		const sign = line[position++];
		if (sign === undefined) throw new Error(`The header ends too early: ${line}`);
		if (sign === '\\') {
			const escaped = line[position++];
			if (escaped !== '\\' && escaped !== '|') throw new Error(`Wrong escape in the header: ${line}`);
			field += escaped;
		} else if (sign === '|') {
			header.push(field);
			field = '';
		} else field += sign;
	}
	if (header[0] !== 'CEF:0') throw new Error(`Not CEF: ${line}`);
	const severity = Number(header[6]);
	if (!(severity >= 0 && severity <= 10)) throw new Error(`Wrong severity: ${line}`);
	const text = line.slice(position);
	const keys = [...text.matchAll(/(?:^| )([A-Za-z0-9]+)=/g)];
	const extension = Object.fromEntries(
		keys.map((match, index) => {
			const value = text.slice(match.index + match[0].length, keys[index + 1]?.index ?? text.length);
			if (/(?<!\\)(?:\\\\)*=/.test(value)) throw new Error(`An equals sign isn't escaped: ${line}`);
			return [match[1] ?? '', value.replace(/\\(.)/g, (_whole, sign: string) => (sign === 'n' ? '\n' : sign))];
		}),
	);
	return { header, extension };
}

const ocsfBase = {
	activity_name: z.string().min(1),
	severity_id: z.number().int().min(0).max(6),
	time: z.number().int().min(1_000_000_000_000),
	message: z.string().min(1),
	metadata: z.strictObject({
		version: z.literal('1.6.0'),
		uid: z.string().min(32),
		product: z.strictObject({ name: z.string(), vendor_name: z.string() }),
		original_time: z.string(),
		tenant_uid: z.string(),
	}),
	unmapped: eventSchema,
};
const namedSchema = z.strictObject({ name: z.string().min(1) });
const endpointSchema = z.strictObject({ ip: z.string() });

const ocsfSchema = z.discriminatedUnion('class_uid', [
	z.strictObject({
		...ocsfBase,
		category_uid: z.literal(3),
		class_uid: z.literal(3004),
		activity_id: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(99)]),
		type_uid: z.number(),
		actor: z.strictObject({ user: namedSchema }),
		src_endpoint: endpointSchema.optional(),
		entity: z.strictObject({ name: z.string().min(1), uid: z.string().optional() }),
	}),
	z.strictObject({
		...ocsfBase,
		category_uid: z.literal(3),
		class_uid: z.literal(3002),
		activity_id: z.union([z.literal(1), z.literal(2)]),
		type_uid: z.number(),
		user: namedSchema,
		service: namedSchema,
		src_endpoint: endpointSchema.optional(),
	}),
	z.strictObject({
		...ocsfBase,
		category_uid: z.literal(2),
		class_uid: z.literal(2004),
		activity_id: z.literal(1),
		type_uid: z.number(),
		status_id: z.literal(1),
		finding_info: z.strictObject({
			uid: z.string().min(32),
			title: z.string().min(1),
			created_time: z.number().int(),
			types: z.array(z.string().min(1)).min(1),
		}),
		resources: z.array(z.strictObject({ name: z.string().min(1), uid: z.string(), type: z.literal('User') })),
	}),
]);

/** Reads an OCSF event of one of the three classes that the example sends. @throws Error for another line */
export function readOcsfEvent(line: string) {
	const event = ocsfSchema.parse(JSON.parse(line));
	if (event.type_uid !== event.class_uid * 100 + event.activity_id) throw new Error(`Wrong type_uid: ${line}`);
	return event;
}
