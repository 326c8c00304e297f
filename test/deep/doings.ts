/** What the fault matrix does: operations of every kind, one customer at a time, and which combinations there are not. */
import { memoize } from 'lodash';
import type { IDataObject, INodeType, OnError } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessRole } from '../../nodes/Role/SecurityAwarenessRole.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessSystemUser } from '../../nodes/SystemUser/SecurityAwarenessSystemUser.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { the, type NodeClass } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import type { State } from '../stand-in';
import { ALL, type ApiClient } from '../stand-in/apiClient';
import type { Fault } from './faults';

/** A node, made once for all runs of a test file, as n8n makes it once for all workflows. */
export const nodeOf = memoize((nodeClass: NodeClass): INodeType => new nodeClass());

export const ANSWERS = ['record', 'list', 'pages', 'file', 'done'] as const;
export type AnswerKind = (typeof ANSWERS)[number];
export const ACCESSES = ['read', 'write'] as const;
export type Access = (typeof ACCESSES)[number];
export const SPREADS = ['one item', 'many items', 'every company'] as const;
export type Spread = (typeof SPREADS)[number];
export const MODES = {
	stop: 'stopWorkflow',
	continue: 'continueRegularOutput',
	'error output': 'continueErrorOutput',
} as const satisfies Record<string, OnError>;
export type Mode = keyof typeof MODES;

export interface Customer {
	id: string;
	name: string;
}

/** What somebody gets who asks the service directly. */
export interface Right {
	json: IDataObject[];
	file?: Buffer;
}

/** What is done, for one customer each time. */
export interface Doing {
	answer: AnswerKind;
	access: Access;
	node: NodeClass;
	operation: string;
	/** Inside an error's sentence. */
	purpose: string;
	/** The contract's key of the request that goes wrong. */
	key: string;
	/** The page of it that goes wrong, where there are several. */
	page?: number;
	/** Beside the operation and the company; $json.thing is what `thing` found. */
	parameters: IDataObject;
	/** The ID of a thing of the customer's that it is about. */
	thing?: (state: State, customer: string) => string;
	/** What must come out; a write's is looked at after it was carried out. */
	right: (asker: ApiClient, state: State, customer: string) => Promise<Right> | Right;
	/** How often a write was carried out for the customer, as the service's world has it. */
	effects?: (state: State, customer: string) => number;
}

const rows = z.array(z.record(z.unknown()).transform((row) => row as IDataObject));
const jsonOf = (data: unknown): IDataObject[] => rows.parse([data].flat());
const ofName = (asker: ApiClient, key: string, body?: object) =>
	asker.data(key, body).then((data) => ({ json: jsonOf(data) }));

const scim = (state: State, customer: string) => the(state.of(customer).scim[0]).resourceId;
const enrollment = (state: State, customer: string) => the(state.of(customer).enrollments[1]);

const BOARD = 'POST /api/leaderboard/get-all/export';
const GROUPS = 'POST /api/target-groups/search/current-company';
const WIDGETS = 'POST /api/executive-report/get-widget-datas';
const emailOf = (customer: string) => `zoe@${customer}.example`;

export const DOINGS: readonly Doing[] = [
	{
		...{
			answer: 'record',
			access: 'read',
			node: SecurityAwarenessScimIntegration,
			operation: 'get',
			purpose: 'get SCIM integration',
			key: 'GET /api/scim/{resourceId}',
		},
		thing: scim,
		parameters: { scimIntegration: byId('={{ $json.thing }}') },
		right: async (asker, state, customer) => await ofName(asker, `GET /api/scim/${scim(state, customer)}`),
	},
	{
		...{
			answer: 'list',
			access: 'read',
			node: SecurityAwarenessExecutiveReport,
			operation: 'getWidgetData',
			purpose: 'get widget data',
			key: WIDGETS,
		},
		parameters: { simplify: false, output: 'raw' },
		right: async (asker) => await ofName(asker, WIDGETS, { widgetIds: null }),
	},
	{
		...{
			answer: 'list',
			access: 'read',
			node: SecurityAwarenessRole,
			operation: 'getMany',
			purpose: 'get roles',
			key: 'GET /api/roles',
		},
		parameters: {},
		right: async (asker) => await ofName(asker, 'GET /api/roles'),
	},
	{
		...{
			answer: 'pages',
			access: 'read',
			node: SecurityAwarenessTargetGroup,
			operation: 'getMany',
			purpose: 'get target groups',
			key: GROUPS,
			page: 2,
		},
		parameters: { returnAll: true, sort: { fields: { by: 'Name' } }, options: { pageSize: 1 } },
		right: async (asker) => ({
			json: await asker
				.results(GROUPS, { pageNumber: 1, pageSize: 1000, orderBy: 'Name', ascending: true, filter: ALL })
				.then(jsonOf),
		}),
	},
	{
		...{
			answer: 'file',
			access: 'read',
			node: SecurityAwarenessLeaderboard,
			operation: 'export',
			purpose: 'export leaderboard',
			key: BOARD,
		},
		parameters: { sort: { fields: { by: 'Email' } } },
		right: async (asker) => {
			const pagination = { pageNumber: 1, pageSize: 100, orderBy: 'Email', ascending: true };
			const { bytes, type } = await asker.file(BOARD, {
				exportType: 'CSV',
				reportAllPages: true,
				pagination,
				filter: ALL,
			});
			return { json: [{ mimeType: type.replace(/;.*/, ''), bytes: bytes.length }], file: bytes };
		},
	},
	{
		...{
			answer: 'record',
			access: 'write',
			node: SecurityAwarenessEnrollment,
			operation: 'send',
			purpose: 'send enrollment',
			key: 'POST /api/enrollments/{resourceId}/send',
		},
		thing: (state, customer) => enrollment(state, customer).resourceId,
		parameters: { enrollment: byId('={{ $json.thing }}') },
		right: (_asker, state, customer) => {
			const { resourceId } = enrollment(state, customer);
			return { json: [{ enrollmentId: resourceId, resourceId }] };
		},
		// It was sent once already when it was made.
		effects: (state, customer) => enrollment(state, customer).sendCount - 1,
	},
	{
		...{
			answer: 'record',
			access: 'write',
			node: SecurityAwarenessSystemUser,
			operation: 'create',
			purpose: 'create system user',
			key: 'POST /api/system-users',
		},
		parameters: {
			firstName: 'Zoë',
			lastName: 'Müller',
			email: `=${emailOf('{{ $json.id }}')}`,
			phoneNumber: '+49 30 1234567',
		},
		right: (_asker, state, customer) => ({
			json: state
				.of(customer)
				.systemUsers.filter((user) => user.email === emailOf(customer))
				.map(({ resourceId }) => ({ resourceId })),
		}),
		effects: (state, customer) => state.of(customer).systemUsers.length,
	},
	{
		...{
			answer: 'done',
			access: 'write',
			node: SecurityAwarenessApiClient,
			operation: 'delete',
			purpose: 'delete API client',
			key: 'DELETE /api/companies/clients/{resourceId}',
		},
		thing: (state, customer) => the(state.of(customer).clients[0]).resourceId,
		parameters: { apiClient: byId('={{ $json.thing }}') },
		right: () => ({ json: [{ deleted: true }] }),
		// Each customer has one of that name, the first.
		effects: (state, customer) =>
			state.of(customer).clients.some(({ name }) => name === 'Reporting Integration') ? 0 : 1,
	},
];

/** Combinations that there are none of, and why. The first reason that holds counts. */
export const IMPOSSIBLE: ReadonlyArray<{
	why: string;
	holds: (at: { fault: Fault; answer: AnswerKind; access: Access; spread: Spread }) => boolean;
}> = [
	{
		why: 'lists, pages and files are only read',
		holds: ({ answer, access }) => access === 'write' && ['list', 'pages', 'file'].includes(answer),
	},
	{
		why: 'what answers no more than that it is done changes something',
		holds: ({ answer, access }) => access === 'read' && answer === 'done',
	},
	{
		why: 'only lists, pages and files are asked for every company',
		holds: ({ answer, spread }) => spread === 'every company' && ['record', 'done'].includes(answer),
	},
	{
		why: 'a file is looked for where it is forwarded to (test/transport/redirects)',
		holds: ({ fault, answer }) => fault.rule.kind === 'redirect' && answer === 'file',
	},
	{
		why: 'whether it was carried out makes no difference to what only reads',
		holds: ({ fault, access }) => access === 'read' && fault.name.endsWith(', carried out'),
	},
];
