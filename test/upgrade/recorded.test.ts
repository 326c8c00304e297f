/** The recorded workflows of earlier versions, in n8n-core; `npm run e2e -- upgrade` runs them in a real n8n. */
import type { IDataObject } from 'n8n-workflow';
import { intended } from '../e2e/upgrade/intended';
import { recordedVersions, recordedWorkflows } from '../e2e/upgrade/records';
import { askedOf, differences } from '../e2e/upgrade/saved';
import { cases } from '../cases';
import { itemWith, operationFixture } from '../cases/operationFixture';
import { runNode } from '../n8n-core';

const g = operationFixture('contract');

describe.each(recordedVersions())('saved with version %s', (version) => {
	test.each(recordedWorkflows(version).map((saved) => [saved.name, saved] as const))('%s', async (name, saved) => {
		const each = cases.find(({ node, operation }) => node === saved.node && operation === saved.operation);
		const { files } = (await each?.prepare(g.customer)) ?? {};
		g.service.clearLog();
		const { items } = await runNode({
			node: g.node(saved.node),
			typeVersion: saved.typeVersion,
			parameters: saved.parameters as IDataObject,
			credential: g.credential,
			items: [await itemWith(files)],
		});
		const now = { status: 'success', items: items.length, requests: askedOf(g.customer) };
		if (intended(name) === undefined) expect(differences(saved.outcome, now)).toEqual([]);
		else expect(saved.outcome.status).toBe('success');
	});
});
