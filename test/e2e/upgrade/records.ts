import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { recordSchema, type Recorded } from '../../upgrade/parameters';

export const FOLDER = __dirname;

/** A request as far as its meaning goes. */
export const requestSchema = z.object({
	route: z.string(),
	method: z.string(),
	path: z.string(),
	query: z.record(z.string()).optional(),
	company: z.string().optional(),
	contentType: z.string().optional(),
	body: z.unknown().optional(),
});

export type Request = z.infer<typeof requestSchema>;

/** What a run came to, and asked of the service; sorted, since some requests are sent side by side. */
export const outcomeSchema = z.object({ status: z.string(), items: z.number(), requests: z.array(requestSchema) });
export type Outcome = z.infer<typeof outcomeSchema>;

/** A node in a workflow as n8n has saved it: only what differs from the defaults of that time. */
export const savedSchema = z.object({
	name: z.string(),
	/** The node's folder. */
	node: z.string(),
	operation: z.string(),
	typeVersion: z.number(),
	parameters: z.record(z.unknown()),
	outcome: outcomeSchema,
});
export type Saved = z.infer<typeof savedSchema>;

const read = (version: string, file: string): unknown => JSON.parse(readFileSync(join(FOLDER, version, file), 'utf8'));

/** The versions of the package of which there is a record, the oldest first. */
export const recordedVersions = (): string[] =>
	readdirSync(FOLDER)
		.filter((name) => /^\d+\.\d+\.\d+$/.test(name))
		.sort(new Intl.Collator('en', { numeric: true }).compare);

export const recordedParameters = (version: string): Recorded => recordSchema.parse(read(version, 'parameters.json'));
export const recordedWorkflows = (version: string): Saved[] =>
	z.array(savedSchema).parse(read(version, 'workflows.json'));
