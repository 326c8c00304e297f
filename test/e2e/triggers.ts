/**
 * The promise of the triggers in a real n8n: activates a workflow, creates 200 campaigns in three simulators and two
 * companies while n8n is stopped twice in mid-stream, and compares the executions with what was created.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeConnectionTypes, type INode } from 'n8n-workflow';
import { runScript } from '../../scripts/demo/script';
import { CREDENTIAL_TYPE, OWNER, setStage } from '../../scripts/demo/stage';
import { itemsOf, readExecution, type N8nClient } from '../../scripts/n8n/client';
import { Problem } from '../../scripts/n8n/problem';
import type { StandIn } from '../service';
import { SIMULATORS } from '../service/personality';

const RECORDS = 200;
const EVERY_MS = 250;
const STOP_AT = [60, 130];
const TYPE = 'n8n-nodes-security-awareness.securityAwarenessCampaignTrigger';
const SEARCH = 'POST /api/phishing-simulator/phishing-campaign/search';

/** n8n refuses one schedule below a minute, but takes twenty of a minute each. */
const pollTimes = {
	item: Array.from({ length: 20 }, (_, index) => ({ mode: 'custom', cronExpression: `${index * 3} * * * * *` })),
};

/** Creates one campaign; every fourth shows up late, with a create time of up to twelve hours before. */
function create(service: StandIn, index: number): string {
	const simulator = SIMULATORS[index % SIMULATORS.length] ?? 'phishing';
	const company = service.state.companies[index % 2];
	if (!company) throw new Problem('There is no company.');
	const late = index % 4 === 3 ? (index % 12) * 3_600_000 : 0;
	const resourceId = `e2e-${index}`;
	service.state
		.of(company.companyResourceId)
		.campaigns(simulator)
		.push({
			...{ resourceId, name: `Campaign ${index}`, simulator, scenario: 'Parcel Notice', difficulty: 'Easy', status: 'Running' },
			...{ companyResourceId: company.companyResourceId, companyName: company.companyName },
			createTime: new Date(Date.now() - late).toISOString(),
			...{ excludeFromReports: false, instanceGroups: [1], userResourceIds: [] },
		});
	return resourceId;
}

async function executionsOf(client: N8nClient, workflowId: string) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await client.request<{ results: Array<{ id: string; status: string }> }>('GET', `/rest/executions?filter=${filter}&limit=100`);
	return await Promise.all(
		results.map(async ({ id, status }) => {
			const { data } = await client.request<{ data: string }>('GET', `/rest/executions/${id}`);
			return { status, ids: itemsOf(readExecution(id, status, data), 'Trigger').map(({ json }) => String(json.resourceId)) };
		}),
	);
}

runScript(async ({ cleanups }) => {
	const { n8n, client, service, credential } = await setStage({}, cleanups);
	const trigger: INode = {
		...{ id: 'trigger', name: 'Trigger', type: TYPE, typeVersion: 1, position: [0, 0] },
		parameters: { companyScope: 'every', pollTimes },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
	const end: INode = { id: 'end', name: 'End', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [200, 0], parameters: {} };
	const id = await client.createWorkflow({
		name: 'New campaigns',
		nodes: [trigger, end],
		connections: { Trigger: { main: [[{ node: 'End', type: NodeConnectionTypes.Main, index: 0 }]] } },
	});
	const { versionId } = await client.request<{ versionId: string }>('GET', `/rest/workflows/${id}`);
	service.clearLog();
	await client.request('POST', `/rest/workflows/${id}/activate`, { versionId });
	for (let waited = 0; service.requests(SEARCH).length < 2; waited++) {
		if (waited > 300) throw new Problem('The trigger does not poll.');
		await sleep(200);
	}

	const created: string[] = [];
	let restarts = Promise.resolve();
	for (let index = 0; index < RECORDS; index++) {
		created.push(create(service, index));
		// The records go on coming while n8n is down.
		if (STOP_AT.includes(index)) restarts = restarts.then(() => n8n.restart(() => sleep(4000)));
		await sleep(EVERY_MS);
	}
	await restarts;
	await client.login(OWNER.email, OWNER.password);
	const polls = service.requests(SEARCH).length;
	for (let waited = 0; service.requests(SEARCH).length < polls + 3 && waited < 300; waited++) await sleep(200);
	await sleep(2000);

	const executions = await executionsOf(client, id);
	const given = executions.flatMap(({ ids }) => ids);
	const missed = created.filter((each) => !given.includes(each));
	const repeated = given.filter((each, index) => given.indexOf(each) < index);
	const foreign = given.filter((each) => !created.includes(each));
	const failed = executions.filter(({ status }) => status !== 'success').length;
	console.log(
		`created ${created.length}, emitted ${given.length} in ${executions.length} executions (${failed} failed), ${service.requests(SEARCH).length} polls, ${STOP_AT.length} restarts; missed ${missed.length}, repeated ${repeated.length}, others ${foreign.length}`,
	);
	if (missed.length + repeated.length + foreign.length > 0)
		throw new Problem(`Missed: ${missed.join(' ')}. Repeated: ${repeated.join(' ')}. Others: ${foreign.join(' ')}.`);
});
