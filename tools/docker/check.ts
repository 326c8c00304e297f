// Checks what compose.yaml has started, before anybody has opened n8n: npx tsx tools/docker/check.ts [http://localhost:5678]
import assert from 'node:assert/strict';

import { getNodeItems, N8nClient } from '../../test/real-n8n/client';
import { findTrigger, listExamples, readExample } from '../../test/real-n8n/examples';
import { assertSucceeded } from '../../test/real-n8n/report';
import { runScript } from '../../test/real-n8n/script';
import { OWNER } from '../../test/real-n8n/testEnvironment';

const COMPANY_COUNT = 500;

async function checkContainers(): Promise<void> {
	const client = new N8nClient(process.argv[2] ?? 'http://localhost:5678');
	await client.setUpOwner(OWNER);
	const workflows = await client.request<Array<{ id: string; name: string }>>('GET', '/rest/workflows');
	const idsByName = new Map(workflows.map(({ id, name }) => [name, id]));
	for (const { title } of await listExamples())
		assert.ok(idsByName.has(title), `n8n doesn't have the example ${title}.`);

	const tour = await readExample('demo');
	const run = await client.runWorkflow(idsByName.get(tour.name) ?? '', findTrigger(tour).name);
	assert.equal(getNodeItems(assertSucceeded(run), 'List All Companies').length, COMPANY_COUNT);
	console.log(`n8n has all examples, and the first tour has listed ${COMPANY_COUNT} companies of the stand-in.`);
}

runScript(checkContainers);
