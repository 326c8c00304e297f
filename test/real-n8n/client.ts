import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { parse } from 'flatted';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeCredentialsDetails,
	INodeExecutionData,
	IRunData,
	IRunExecutionData,
	IWorkflowSettings,
} from 'n8n-workflow';

/** The owner account that is created when n8n is set up. */
export interface OwnerAccount {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A workflow in the format that n8n imports. */
export interface Workflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** A column of a data table. */
export interface TableColumn {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

/** A data table of n8n. */
export interface DataTable {
	id: string;
	name: string;
}

/** The result of running a workflow. */
export interface Execution {
	id: string;
	status: string;
	/** The error, if the execution failed. `node` is the name of the node that caused it. */
	error?: { message: string; description?: string; node?: string };
	runData: IRunData;
}

/** For a moment after an execution has ended, an older n8n returns this text instead of the execution's data. */
const UNWRITTEN_DATA = '[]';

const FINISHED_STATUSES = ['success', 'error', 'crashed', 'canceled'];

/** Controls a running n8n without a browser, by sending the HTTP requests that n8n's editor sends. */
export class N8nClient {
	private cookie = '';

	/** The browser ID that every request sends. n8n only accepts a login cookie together with the browser ID of the login. */
	private readonly browserId = randomUUID();

	constructor(readonly url: string) {}

	/** Creates the owner account of a fresh n8n and logs in with it. */
	async setUpOwner(owner: OwnerAccount): Promise<void> {
		await this.request('POST', '/rest/owner/setup', owner);
		await this.login(owner.email, owner.password);
	}

	/** Logs in. Later requests use the cookie that n8n returns. */
	async login(email: string, password: string): Promise<void> {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Saves a credential. @returns the reference to the credential that nodes contain */
	async createCredential(
		name: string,
		type: string,
		data: IDataObject,
	): Promise<INodeCredentialsDetails & { id: string }> {
		const response = await this.request<{ id: string }>('POST', '/rest/credentials', { name, type, data });
		return { id: response.id, name };
	}

	async deleteCredential({ id }: { id: string }): Promise<void> {
		await this.request('DELETE', `/rest/credentials/${id}`);
	}

	/** Tests a saved credential with this data, as the editor does after saving it. */
	async testCredential(
		credential: { id: string; name: string },
		type: string,
		data: IDataObject,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.request('POST', '/rest/credentials/test', { credentials: { ...credential, type, data } });
	}

	/** Saves a workflow in the user's personal project, as the editor does. @returns the workflow's ID */
	async createWorkflow(workflow: Workflow): Promise<string> {
		// An older n8n only finds credentials by name if the request names the project.
		const { id: projectId } = await this.request<{ id: string }>('GET', '/rest/projects/personal');
		// Without this setting, n8n runs branches in the order that its first versions used.
		const settings = { executionOrder: 'v1', ...workflow.settings };
		const response = await this.request<{ id: string }>('POST', '/rest/workflows', {
			...workflow,
			settings,
			projectId,
			active: false,
			nodes: workflow.nodes.map(addWebhookIdIfNeeded),
		});
		return response.id;
	}

	/**
	 * Activates the saved version of a workflow and waits until its triggers are active.
	 * @throws Error if that fails or takes longer than `timeoutMs`
	 */
	async activate(workflowId: string, timeoutMs = 180_000): Promise<void> {
		const { versionId } = await this.request<{ versionId: string }>('GET', `/rest/workflows/${workflowId}`);
		await this.request('POST', `/rest/workflows/${workflowId}/activate`, { versionId });
		const deadline = Date.now() + timeoutMs;
		let status = '';
		while (status !== 'published') {
			const response = await this.send('GET', `/rest/workflows/${workflowId}/publication-status`).catch(
				() => undefined,
			);
			// An older n8n doesn't have this endpoint. Its triggers are active when the activation request returns.
			if (!response) return;
			const { data } = (await response.json()) as { data: { status: string } };
			status = data.status;
			if (status === 'failed' || Date.now() > deadline)
				throw new Error(`The workflow could not be activated (${status}).`);
			await sleep(100);
		}
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
	}

	/** Runs a workflow from its trigger, as the editor's button does, and waits until the execution has ended. */
	async runWorkflow(workflowId: string, triggerName: string, timeoutMs = 300_000): Promise<Execution> {
		return await this.waitForExecution(await this.startWorkflow(workflowId, triggerName), timeoutMs);
	}

	/** Starts a workflow as `runWorkflow` does, but doesn't wait for the end. @returns the execution's ID */
	async startWorkflow(workflowId: string, triggerName: string): Promise<string> {
		// The newest n8n runs the saved workflow. Older versions run the workflow in the request.
		const workflowData = await this.request<object>('GET', `/rest/workflows/${workflowId}`);
		const response = await this.request<{ executionId: string }>('POST', `/rest/workflows/${workflowId}/run`, {
			workflowData,
			triggerToStartFrom: { name: triggerName },
		});
		return response.executionId;
	}

	/** Waits until an execution has ended and n8n has written its data. @throws Error after `timeoutMs` */
	async waitForExecution(executionId: string, timeoutMs = 300_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const { status, data } = await this.request<{ status: string; data: string }>(
				'GET',
				`/rest/executions/${executionId}`,
			);
			if (FINISHED_STATUSES.includes(status) && data !== UNWRITTEN_DATA)
				return parseExecution(executionId, status, data);
			if (Date.now() > deadline)
				throw new Error(`Execution ${executionId} did not end in ${timeoutMs / 1000} s (${status}).`);
			await sleep(250);
		}
	}

	/**
	 * Waits until a workflow's last execution has succeeded. Doesn't read the output, because that would take n8n's CPU time.
	 * @throws Error if the execution failed, or after `timeoutMs`
	 */
	async waitForLastExecution(workflowId: string, timeoutMs = 300_000): Promise<void> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const [{ status } = { status: 'new' }] = await this.listExecutions(workflowId, 1);
			if (status === 'success') return;
			if (FINISHED_STATUSES.includes(status) || Date.now() > deadline)
				throw new Error(`The execution did not succeed (${status}).`);
			await sleep(250);
		}
	}

	private async listExecutions(workflowId: string, limit: number): Promise<Array<{ id: string; status: string }>> {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: String(limit) });
		const path = `/rest/executions?${query}`;
		return (await this.request<{ results: Array<{ id: string; status: string }> }>('GET', path)).results;
	}

	/** Reads the results of a workflow's last 100 executions, newest first. */
	async readExecutions(workflowId: string): Promise<Execution[]> {
		const executionPromises = (await this.listExecutions(workflowId, 100)).map(async ({ id }) => {
			const responsePromise = this.request<{ status: string; data: string } | undefined>(
				'GET',
				`/rest/executions/${id}`,
			);
			const execution = await responsePromise.catch((error: unknown) => {
				// If n8n was killed while it saved an execution, the execution has no data, and n8n 1 fails with this error.
				if (String(error).includes("null (reading 'data')")) return { status: 'crashed', data: UNWRITTEN_DATA };
				throw error;
			});
			// n8n has deleted the execution since it was listed.
			if (!execution) return [];
			const { status, data } = execution;
			return data === UNWRITTEN_DATA ? [] : [parseExecution(id, status, data)];
		});
		return (await Promise.all(executionPromises)).flat();
	}

	/** Returns the SHA-256 hash of a file that an execution produced. */
	async hashFile(id: string): Promise<string> {
		const response = await this.send('GET', `/rest/binary-data?${new URLSearchParams({ id, action: 'download' })}`);
		return createHash('sha256')
			.update(Buffer.from(await response.arrayBuffer()))
			.digest('hex');
	}

	/** Fetches a file that n8n serves to its editor, such as a list of nodes, an icon or a schema. */
	async fetchFile(path: string): Promise<Response> {
		return await this.send('GET', path);
	}

	/** Lists the data tables of the user's personal project. */
	async listTables(): Promise<DataTable[]> {
		return (await this.request<{ data: DataTable[] }>('GET', `${await this.getTablesPath()}?take=250`)).data;
	}

	async createTable(name: string, columns: TableColumn[]): Promise<DataTable> {
		return await this.request('POST', await this.getTablesPath(), { name, columns });
	}

	async deleteTable({ id }: DataTable): Promise<void> {
		await this.request('DELETE', `${await this.getTablesPath()}/${id}`);
	}

	/** Reads all rows of a data table. An older n8n returns at most 50 rows per request. */
	async readRows({ id }: DataTable): Promise<IDataObject[]> {
		const path = `${await this.getTablesPath()}/${id}/rows`;
		const rows: IDataObject[] = [];
		for (;;) {
			const page = await this.request<{ data: IDataObject[] }>('GET', `${path}?skip=${rows.length}&take=50`);
			rows.push(...page.data);
			if (page.data.length === 0) return rows;
		}
	}

	async insertRows({ id }: DataTable, data: IDataObject[]): Promise<void> {
		await this.request('POST', `${await this.getTablesPath()}/${id}/insert`, { data, returnType: 'all' });
	}

	private async getTablesPath(): Promise<string> {
		const { id } = await this.request<{ id: string }>('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	/** Sends a request to n8n. @returns the field `data` of the response */
	async request<ResponseData>(method: string, path: string, body?: object): Promise<ResponseData> {
		const response = await this.send(method, path, body);
		const { data } = (await response.json()) as { data: ResponseData };
		return data;
	}

	private async send(method: string, path: string, body?: object): Promise<Response> {
		const headers: Record<string, string> = { 'browser-id': this.browserId };
		if (this.cookie) headers.cookie = this.cookie;
		if (body) headers['content-type'] = 'application/json';
		const sendOnce = () => fetch(this.url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
		// An n8n that was busy for five seconds closes idle connections, even while a request is being sent on one of them. Requests
		// that only read are sent again in that case.
		let response = await (method === 'GET' ? sendOnce().catch(sendOnce) : sendOnce());
		// An n8n that was busy for longer responds for a moment that its database isn't ready.
		for (let tries = 0; method === 'GET' && response.status === 503 && tries < 60; tries++) {
			await sleep(1000);
			response = await sendOnce();
		}
		if (!response.ok) throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${await response.text()}`);
		const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';', 1).join('');
		return response;
	}
}

/** Adds a webhook ID to nodes that receive requests, as the editor does. Without it, an older n8n uses an unpredictable URL. */
const addWebhookIdIfNeeded = (node: INode): INode =>
	/\.(webhook|formTrigger|chatTrigger)$/.test(node.type) ? { webhookId: randomUUID(), ...node } : node;

/** Parses an execution from n8n's API. `data` is a string in the format of the package `flatted`. */
export function parseExecution(id: string, status: string, data: string): Execution {
	const { resultData } = parse(data) as IRunExecutionData;
	const { error, runData } = resultData;
	if (!error) return { id, status, runData };
	const node = 'node' in error ? error.node?.name : undefined;
	return { id, status, runData, error: { message: error.message, description: error.description ?? undefined, node } };
}

/** Returns the items of one of a node's outputs, from all runs of the node. `output` 1 is the second output, often the error output. */
export function getNodeItems(execution: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	const runs = execution.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}
