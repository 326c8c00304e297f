import { z } from 'zod';
import type { FastifyInstance } from 'fastify';
import { faultRule } from './faults';
import { isRow, type Row } from './http';
import type { Service } from './service';
import type { State } from './state';

/** All paths below this one control the service; they are not part of the contract. */
export const CONTROL = '/__control';

/** What may be changed while the service runs. */
export const liveOptions = z
	.object({
		latencyMs: z.number().min(0),
		tokenLifetimeSeconds: z.number().min(0),
		newTokenVoidsFormer: z.boolean(),
		maxPageSize: z.number().int().min(1),
		helpers: z.boolean(),
		participants: z.enum(['add', 'replace']),
		inputErrorsAs200: z.boolean(),
		exportBytes: z
			.number()
			.int()
			.min(0)
			.nullable()
			.transform((value) => value ?? undefined),
	})
	.partial()
	.strict();

function jsonOf(body: unknown): unknown {
	if (!isRow(body) || typeof body.jsonText !== 'string' || body.jsonText.trim() === '') return {};
	return JSON.parse(body.jsonText);
}

function queried(query: unknown, name: string): string | undefined {
	const value = isRow(query) ? query[name] : undefined;
	return typeof value === 'string' ? value : undefined;
}

/** Lets other processes set faults, read the log and so on over HTTP. */
export function installControl(app: FastifyInstance, service: Service, state: State, reset: () => void): void {
	app.post(`${CONTROL}/fault`, (request) => {
		service.faults.add(faultRule.parse(jsonOf(request.body)));
		return { ok: true };
	});
	app.post(`${CONTROL}/clear-faults`, () => {
		service.faults.clear();
		return { ok: true };
	});
	app.post(`${CONTROL}/reset`, () => {
		reset();
		return { ok: true };
	});
	app.post(`${CONTROL}/expire-tokens`, () => {
		service.tokens.expireAll();
		return { ok: true };
	});
	app.get(`${CONTROL}/log`, (request) => {
		return service.log.of(queried(request.query, 'route'));
	});
	app.post(`${CONTROL}/clear-log`, () => {
		service.log.clear();
		return { ok: true };
	});
	app.get(`${CONTROL}/state`, (request) => {
		// All of it is large and has to be made first, so parts can be asked for: ?part=companies,groups
		const wanted = queried(request.query, 'part')?.split(',');
		const shown: Row = {};
		for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(state))) {
			if (property.get && (!wanted || wanted.includes(name))) shown[name] = property.get.call(state);
		}
		return shown;
	});
	app.post(`${CONTROL}/options`, (request) => {
		Object.assign(service.options, liveOptions.parse(jsonOf(request.body)));
		return service.options;
	});
}
