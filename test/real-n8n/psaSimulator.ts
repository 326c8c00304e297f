/**
 * Simulates the professional services automation (PSA) system in which a service provider keeps tickets and agreements. It has the
 * APIs of three products. Each behaves as its public documentation says, as far as the examples use it:
 * - ConnectWise PSA, at /connectwise: developer.connectwise.com (company/companies, service/tickets and their notes,
 *   finance/agreements and their additions; conditions; Basic authentication with a clientId header)
 * - HaloPSA, at /halo: halopsa.com/apidoc (OAuth 2 client credentials; Client, Tickets, Actions, RecurringInvoice, updatelines;
 *   request bodies are lists; more than 500 requests in five minutes are answered with 429)
 * - Autotask PSA, at /autotask: psa/autotask.ts
 */
import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

import { registerAutotask } from './psa/autotask';
import { registerConnectWise } from './psa/connectWise';
import { registerHalo } from './psa/halo';
import { PsaRecords } from './psa/psaData';

export type { Agreement, AgreementLine, PsaCompany, Ticket } from './psa/psaData';

/** The credentials that the APIs accept. */
export const PSA_CREDENTIALS = {
	user: 'acme+public-key',
	password: 'private-key',
	/** The placeholder that the examples contain when they are imported. */
	clientId: 'your-client-id',
	haloClientId: 'halo-client',
	haloClientSecret: 'halo-secret',
	autotaskCode: 'autotask-tracking-identifier',
	autotaskUser: 'api-user@acme.example',
	autotaskSecret: 'autotask-secret',
};

/** A simulated failure of the next requests, for all companies or for one. */
export interface PsaFault {
	status: 401 | 429 | 500;
	/** Limits the failure to requests about the company with this name: requests whose URL has the name, or that refer to its ID. */
	company?: string;
	/** The number of requests that fail. The default is 1. */
	times?: number;
	/** True to limit the failure to requests that write. */
	isOnlyForWrites?: boolean;
	/** True if the request takes effect although its answer is a failure, as after a timeout. */
	hasEffect?: boolean;
}

/** A running PSA simulator. */
export interface PsaSimulator {
	/** The base URL. The APIs are at `${url}/connectwise`, `${url}/halo/api` and `${url}/autotask/atservicesrest/v1.0`. */
	url: string;
	/** The companies, agreements and tickets, which all APIs share. */
	records: PsaRecords;
	addFault: (fault: PsaFault) => void;
	/** Ends all simulated failures. */
	clearFaults: () => void;
	/** The successful requests since the last reset, such as 'POST /service/tickets'. */
	requests: string[];
	/** Deletes all data and creates a company with an agreement for each name. By default, uses the names that `startPsa` got. */
	reset: (names?: string[]) => void;
	close: () => Promise<void>;
}

/** Starts the simulator on a free port, with a company and an agreement for each name. */
export async function startPsa(names: string[] = []): Promise<PsaSimulator> {
	const records = new PsaRecords(names);
	const requests: string[] = [];
	const faults: Array<Required<Omit<PsaFault, 'company'>> & { company?: string | undefined }> = [];
	/** The status of the requests that take effect although their answer is a failure. */
	const failedAnswers = new WeakMap<FastifyRequest, PsaFault['status']>();
	const app = fastify({ forceCloseConnections: true });
	await app.register(formbody);
	app.addHook('preHandler', async (request, reply) => {
		const { method, url, body } = request;
		const [path = ''] = url.split('?');
		if (path.endsWith('/auth/token')) return;
		const company = records.findCompanyOfRequest(decodeURIComponent(url), body);
		const fault = faults.find(
			({ times, isOnlyForWrites, company: companyName }) =>
				times > 0 &&
				(!isOnlyForWrites || method !== 'GET') &&
				(companyName === undefined || companyName === company?.name),
		);
		if (fault) fault.times--;
		if (fault?.hasEffect) failedAnswers.set(request, fault.status);
		else if (fault) {
			const headers = fault.status === 429 ? { 'retry-after': '60' } : {};
			await reply.code(fault.status).headers(headers).send({ message: ERROR_MESSAGES[fault.status] });
			return;
		}
		requests.push(`${method} ${path.replace(/^\/(connectwise|halo|autotask)/, '')}`);
	});
	app.addHook('onSend', async (request, reply, payload) => {
		const status = failedAnswers.get(request);
		if (status === undefined) return payload;
		reply.code(status);
		return JSON.stringify({ message: ERROR_MESSAGES[status] });
	});
	await app.register(async (scope: FastifyInstance) => registerConnectWise(scope, records, PSA_CREDENTIALS), {
		prefix: '/connectwise',
	});
	await app.register(async (scope: FastifyInstance) => registerHalo(scope, records, PSA_CREDENTIALS), {
		prefix: '/halo',
	});
	await app.register(async (scope: FastifyInstance) => registerAutotask(scope, records, PSA_CREDENTIALS), {
		prefix: '/autotask',
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		records,
		requests,
		addFault: ({ times = 1, isOnlyForWrites = false, hasEffect = false, ...rest }) => {
			faults.push({ times, isOnlyForWrites, hasEffect, ...rest });
		},
		clearFaults: () => {
			faults.length = 0;
		},
		reset: (newNames = names) => {
			records.reset(newNames);
			requests.length = 0;
			faults.length = 0;
		},
		close: () => app.close(),
	};
}

const ERROR_MESSAGES = { 401: 'The key is not valid.', 429: 'Too many requests.', 500: 'An error has occurred.' };
