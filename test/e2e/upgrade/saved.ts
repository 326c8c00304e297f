import type { INode, INodeCredentialsDetails } from 'n8n-workflow';
import { isEqual, isPlainObject, mapValues, pick, sortBy } from 'lodash';
import type { Stage } from '../../real-n8n/stage';
import { itemsOf } from '../../real-n8n/client';
import { runConfigured, typeOf } from '../operations';
import { cases } from '../../cases';
import type { CustomerFixture } from '../../cases/customerFixture';
import type { LoggedRequest } from '../../stand-in/log';
import { requestSchema, type Outcome, type Request, type Saved } from './records';

/** In a record: what is different each time, such as a secret that the service has made up. */
export const VARIES = '(varies)';

function meaning({ route, method, path, query, companyId, headers, body }: LoggedRequest): Request {
	const contentType = headers['content-type']?.split(';', 1).join('');
	const whole = { route, method, path: path.split('?', 1).join(''), query, company: companyId, contentType, body };
	// As it is after it was written to a file.
	return requestSchema.parse(JSON.parse(JSON.stringify(whole)));
}

/** Runs a saved node on a service that has what it needs. */
export async function outcomeOf(
	saved: Pick<Saved, 'node' | 'operation' | 'typeVersion' | 'parameters'>,
	customer: CustomerFixture,
	stage: Pick<Stage, 'n8n' | 'client'>,
	credential: INodeCredentialsDetails,
): Promise<Outcome> {
	const each = cases.find(({ node, operation }) => node === saved.node && operation === saved.operation);
	if (!each) return { status: 'There is no such operation any more.', items: 0, requests: [] };
	customer.service.reset();
	const { files } = await each.prepare(customer);
	customer.service.clearLog();
	const parameters = saved.parameters as INode['parameters'];
	const execution = await runConfigured(
		{ ...pick(saved, 'typeVersion'), type: typeOf(saved.node), parameters, files },
		stage,
		credential,
	);
	const items = itemsOf(execution, 'Run').length;
	return { status: execution.error?.message ?? execution.status, items, requests: askedOf(customer) };
}

/** What was asked of the service, in an order that is the same each time. */
export function askedOf({ service }: CustomerFixture): Request[] {
	const asked = service.requests().filter(({ path }) => path !== '/connect/token');
	return sortBy(asked.map(meaning), ({ route, path, body }) => [route, path, JSON.stringify(body)].join());
}

/** The same with everything that differs from the other marked so. */
export function common(one: unknown, other: unknown): unknown {
	if (isEqual(one, other)) return one;
	if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
		return one.map((value, index) => common(value, (other as unknown[])[index]));
	if (isRecord(one) && isRecord(other) && isEqual(Object.keys(one), Object.keys(other)))
		return mapValues(one, (value, name) => common(value, other[name]));
	return VARIES;
}

const isRecord = (value: unknown): value is Record<string, unknown> => isPlainObject(value);

/** Where what was recorded and what is now differ, as sentences. */
export function differences(recorded: unknown, now: unknown, where = ''): string[] {
	if (recorded === VARIES || isEqual(recorded, now)) return [];
	if (Array.isArray(recorded) && Array.isArray(now) && recorded.length === now.length) {
		return recorded.flatMap((value: unknown, index) =>
			differences(value, (now as unknown[])[index], `${where}[${index}]`),
		);
	}
	if (isRecord(recorded) && isRecord(now)) {
		const names = new Set([...Object.keys(recorded), ...Object.keys(now)]);
		return [...names].flatMap((name) =>
			differences(recorded[name], now[name], where === '' ? name : `${where}.${name}`),
		);
	}
	return [`${where} was ${JSON.stringify(recorded)} and is ${JSON.stringify(now) ?? 'gone'}`.slice(0, 400)];
}
