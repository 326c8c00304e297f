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

/** The first person of a fresh n8n. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export interface Workflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** A column of a data table. */
export interface Column {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

/** A data table of n8n. */
export interface Table {
	id: string;
	name: string;
}

/** The result of a run of a workflow. */
export interface Execution {
	id: string;
	status: string;
	/** Of the run as a whole, if it failed: the message, and the node it came from. */
	error?: { message: string; description?: string; node?: string };
	runData: IRunData;
}

/** The data of an execution that has ended a moment ago, in an older n8n. */
const NOT_WRITTEN = '[]';

const FINISHED = ['success', 'error', 'crashed', 'canceled'];

/** Controls a running n8n as its editor does, but without a browser: with the same HTTP requests. */
export class N8nClient {
	private cookie = '';

	/** n8n binds a login to the browser; every request must have the same browser ID. */
	private readonly browserId = randomUUID();

	constructor(readonly url: string) {}

	/** Creates the owner of a fresh n8n and logs in as them. */
	async setUpOwner(owner: Owner): Promise<void> {
		await this.request('POST', '/rest/owner/setup', owner);
		await this.login(owner.email, owner.password);
	}

	async login(email: string, password: string): Promise<void> {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Saves a credential and says how a node refers to it. */
	async createCredential(
		name: string,
		type: string,
		data: IDataObject,
	): Promise<INodeCredentialsDetails & { id: string }> {
		const created = await this.request<{ id: string }>('POST', '/rest/credentials', { name, type, data });
		return { id: created.id, name };
	}

	async deleteCredential({ id }: { id: string }): Promise<void> {
		await this.request('DELETE', `/rest/credentials/${id}`);
	}

	/** Tests a saved credential with the given data, as the editor does when it is saved. */
	async testCredential(
		credential: { id: string; name: string },
		type: string,
		data: IDataObject,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		return await this.request('POST', '/rest/credentials/test', { credentials: { ...credential, type, data } });
	}

	/** Saves a workflow among the person's own, as the editor does, and returns its id. */
	async createWorkflow(workflow: Workflow): Promise<string> {
		// An older n8n finds credentials by their names only if the request names the project.
		const { id: projectId } = await this.request<{ id: string }>('GET', '/rest/projects/personal');
		// Without this setting n8n runs branches in the order of its first versions.
		const settings = { executionOrder: 'v1', ...workflow.settings };
		const created = await this.request<{ id: string }>('POST', '/rest/workflows', {
			...workflow,
			settings,
			projectId,
			active: false,
			nodes: workflow.nodes.map(withWebhookId),
		});
		return created.id;
	}

	/** Activates a workflow as it was last saved, and waits until its triggers are active. */
	async activate(workflowId: string, patience = 180_000): Promise<void> {
		const { versionId } = await this.request<{ versionId: string }>('GET', `/rest/workflows/${workflowId}`);
		await this.request('POST', `/rest/workflows/${workflowId}/activate`, { versionId });
		const deadline = Date.now() + patience;
		for (let status = ''; status !== 'published';) {
			const response = await this.send('GET', `/rest/workflows/${workflowId}/publication-status`).catch(
				() => undefined,
			);
			// An older n8n does not know the address: there the triggers are on when it answers.
			if (!response) return;
			({ status } = ((await response.json()) as { data: { status: string } }).data);
			if (status === 'failed' || Date.now() > deadline)
				throw new Error(`The workflow could not be activated (${status}).`);
			await sleep(100);
		}
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
	}

	/** Runs a workflow from its trigger, as the button in the editor does, and waits for the end. */
	async run(workflowId: string, triggerName: string, patience = 300_000): Promise<Execution> {
		return await this.ended(await this.start(workflowId, triggerName), patience);
	}

	/** Starts a workflow in the same way. @returns the execution's id */
	async start(workflowId: string, triggerName: string): Promise<string> {
		// The newest n8n runs what is saved, older ones what the editor sends.
		const workflowData = await this.request<object>('GET', `/rest/workflows/${workflowId}`);
		const started = await this.request<{ executionId: string }>('POST', `/rest/workflows/${workflowId}/run`, {
			workflowData,
			triggerToStartFrom: { name: triggerName },
		});
		return started.executionId;
	}

	/** Waits for the end of an execution. */
	async ended(executionId: string, patience = 300_000): Promise<Execution> {
		const deadline = Date.now() + patience;
		for (;;) {
			const { status, data } = await this.request<{ status: string; data: string }>(
				'GET',
				`/rest/executions/${executionId}`,
			);
			if (FINISHED.includes(status) && data !== NOT_WRITTEN) return readExecution(executionId, status, data);
			if (Date.now() > deadline)
				throw new Error(`Execution ${executionId} did not end in ${patience / 1000} s (${status}).`);
			await sleep(250);
		}
	}

	/** Waits until a workflow's last execution has succeeded, without reading what came out: that takes n8n time. */
	async untilEnded(workflowId: string, patience = 300_000): Promise<void> {
		for (const deadline = Date.now() + patience; ; await sleep(250)) {
			const [{ status } = { status: 'new' }] = await this.listed(workflowId, 1);
			if (status === 'success') return;
			if (FINISHED.includes(status) || Date.now() > deadline)
				throw new Error(`The execution did not succeed (${status}).`);
		}
	}

	private async listed(workflowId: string, limit: number): Promise<Array<{ id: string; status: string }>> {
		const query = new URLSearchParams({ filter: JSON.stringify({ workflowId }), limit: String(limit) });
		const path = `/rest/executions?${query}`;
		return (await this.request<{ results: Array<{ id: string; status: string }> }>('GET', path)).results;
	}

	/** What the last runs of a workflow came to, a hundred at most, the newest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const executions = (await this.listed(workflowId, 100)).map(async ({ id }) => {
			const answer = this.request<{ status: string; data: string }>('GET', `/rest/executions/${id}`);
			const { status, data } = await answer.catch((error: unknown) => {
				// One that was being saved when n8n was killed has no data, and n8n 1 cannot show it.
				if (String(error).includes("null (reading 'data')")) return { status: 'crashed', data: NOT_WRITTEN };
				throw error;
			});
			return data === NOT_WRITTEN ? [] : [readExecution(id, status, data)];
		});
		return (await Promise.all(executions)).flat();
	}

	/** The SHA-256 of a file of an execution. */
	async digest(id: string): Promise<string> {
		const response = await this.send('GET', `/rest/binary-data?${new URLSearchParams({ id, action: 'download' })}`);
		return createHash('sha256')
			.update(Buffer.from(await response.arrayBuffer()))
			.digest('hex');
	}

	/** Fetches one of the files that n8n serves to its editor: a list of nodes, an icon, a schema. */
	async file(path: string): Promise<Response> {
		return await this.send('GET', path);
	}

	/** The person's own data tables. */
	async tables(): Promise<Table[]> {
		return (await this.request<{ data: Table[] }>('GET', `${await this.tablesPath()}?take=250`)).data;
	}

	async createTable(name: string, columns: Column[]): Promise<Table> {
		return await this.request('POST', await this.tablesPath(), { name, columns });
	}

	async deleteTable({ id }: Table): Promise<void> {
		await this.request('DELETE', `${await this.tablesPath()}/${id}`);
	}

	/** All rows of a data table; an older n8n gives fifty at a time. */
	async rowsOf({ id }: Table): Promise<IDataObject[]> {
		const path = `${await this.tablesPath()}/${id}/rows`;
		const rows: IDataObject[] = [];
		for (;;) {
			const page = await this.request<{ data: IDataObject[] }>('GET', `${path}?skip=${rows.length}&take=50`);
			rows.push(...page.data);
			if (page.data.length === 0) return rows;
		}
	}

	async insertRows({ id }: Table, data: IDataObject[]): Promise<void> {
		await this.request('POST', `${await this.tablesPath()}/${id}/insert`, { data, returnType: 'all' });
	}

	private async tablesPath(): Promise<string> {
		const { id } = await this.request<{ id: string }>('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	/** Any other request; the content of the answer. */
	async request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
		const response = await this.send(method, path, body);
		const { data } = (await response.json()) as { data: Answer };
		return data;
	}

	private async send(method: string, path: string, body?: object): Promise<Response> {
		const ask = async () =>
			fetch(this.url + path, {
				method,
				headers: {
					'browser-id': this.browserId,
					...(this.cookie ? { cookie: this.cookie } : {}),
					...(body ? { 'content-type': 'application/json' } : {}),
				},
				body: body ? JSON.stringify(body) : undefined,
			});
		// If n8n is busy for five seconds, it closes a connection that was kept open, sometimes just when it is used again; a
		// request that only reads is then sent again.
		let response = await (method === 'GET' ? ask().catch(ask) : ask());
		// Busy for longer, it says for a moment that its database is not ready.
		for (let tries = 0; method === 'GET' && response.status === 503 && tries < 60; tries++) {
			await sleep(1000);
			response = await ask();
		}
		if (!response.ok) throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${await response.text()}`);
		const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';', 1).join('');
		return response;
	}
}

/** What the editor gives to a node that takes requests; an older n8n has no plain address for one without. */
const withWebhookId = (node: INode): INode =>
	/\.(webhook|formTrigger|chatTrigger)$/.test(node.type) ? { webhookId: randomUUID(), ...node } : node;

/** Reads an execution as the API gives it. */
export function readExecution(id: string, status: string, data: string): Execution {
	const { resultData } = parse(data) as IRunExecutionData;
	const { error, runData } = resultData;
	if (!error) return { id, status, runData };
	const node = 'node' in error ? error.node?.name : undefined;
	return { id, status, runData, error: { message: error.message, description: error.description ?? undefined, node } };
}

/** The items that a node put out, of all its runs; `output` 1 is the second output, often the one for errors. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): INodeExecutionData[] {
	const runs = execution.runData[nodeName] ?? [];
	return runs.flatMap((run) => run.data?.main?.[output] ?? []);
}
