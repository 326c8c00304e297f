import { CREDENTIAL_TYPE } from '../../real-n8n/stage';
import { CustomerFixture } from '../../cases/customerFixture';
import type { Part } from '../part';
import { intended } from './intended';
import { recordedVersions, recordedWorkflows } from './records';
import { differences, outcomeOf } from './saved';

export const upgrade: Part = {
	title: 'Workflows saved with earlier versions of the package ask the same of the service now',
	run: async ({ stage, cleanups }) => {
		const there = await stage('n8n');
		const customer = await CustomerFixture.start({ companies: 40 });
		cleanups.push(() => customer.service.close());
		const credential = await there.client.createCredential('Saved', CREDENTIAL_TYPE, customer.credential());

		const table = [];
		const failures: string[] = [];
		for (const version of recordedVersions()) {
			const began = Date.now();
			const workflows = recordedWorkflows(version);
			let failed = 0;
			let changed = 0;
			let requests = 0;
			for (const saved of workflows) {
				const now = await outcomeOf(saved, customer, there, credential);
				const found = differences(saved.outcome, now);
				requests += now.requests.length;
				if (found.length === 0) continue;
				// Whatever it asks, it must run to its end as it did.
				if (intended(saved.name) !== undefined && now.status === saved.outcome.status) {
					changed++;
					continue;
				}
				failed++;
				failures.push(...found.map((difference) => `Saved with ${version}, ${saved.name}: ${difference}`));
			}
			const seconds = Math.round((Date.now() - began) / 1000);
			table.push({
				'saved with': version,
				workflows: workflows.length,
				same: workflows.length - failed - changed,
				'changed on purpose': changed,
				failed,
				requests,
				seconds,
			});
		}
		if (table.length === 0) failures.push('There is no record of any version.');
		return { table, failures };
	},
};
