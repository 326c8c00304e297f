import type { Stage } from '../../real-n8n/stage';
import { itemsOf } from '../../real-n8n/client';
import { triggerWorkflow } from '../../real-n8n/workflow';
import { byId } from '../../cases/customerFixture';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';
import { PollingFixture, idsOf, type List } from '../../trigger/pollingFixture';

const TRIGGERS: Array<{ type: string; list: List; search: string }> = [
	{
		type: 'Campaign',
		list: 'phishing',
		search: 'POST /api/phishing-simulator/phishing-campaign/search',
	},
	{
		type: 'Enrollment',
		list: 'enrollment',
		search: 'POST /api/enrollments/search',
	},
];

/** Whether something happens within a minute. */
const happens = async (what: string, condition: () => boolean | Promise<boolean>): Promise<boolean> =>
	waitUntil(what, condition, IN_ANOTHER_PROCESS).then(
		() => true,
		() => false,
	);

/** Activates a workflow for each trigger, creates a record for each, and sees that it is given out, once. @returns what went wrong */
export async function fireTriggers({ client, service, credential }: Stage): Promise<string[]> {
	const fixture = new PollingFixture(service);
	const failures: string[] = [];
	// One after the other: an older n8n trips over two workflows that are saved at the same moment.
	for (const trigger of TRIGGERS) failures.push(...(await fire(trigger)));
	return failures;

	async function fire({ type, list, search }: (typeof TRIGGERS)[number]): Promise<string[]> {
		const polls = () => service.requests(search).length;
		const parameters = { companyScope: 'one', company: byId(fixture.company(0).id) };
		const id = await client.createWorkflow(triggerWorkflow(type, parameters, credential));
		await client.activate(id);
		// The first poll only looks what is there already.
		if (!(await happens('two polls', () => polls() >= 2))) return [`The ${type} Trigger does not poll.`];

		fixture.now = Date.now();
		const created = fixture.create(list, 0);
		const given = async () => {
			const executions = await client.executions(id);
			return idsOf(executions.flatMap((execution) => itemsOf(execution, 'Trigger')).map(({ json }) => json));
		};
		const isFired = await happens('an execution', async () => (await given()).length > 0);
		const after = polls();
		await happens('two more polls', () => polls() >= after + 2);
		const all = await given();
		await client.deactivate(id);
		if (!isFired) return [`The ${type} Trigger did not give out the new record.`];
		return all.join() === created
			? []
			: [`The ${type} Trigger gave out ${all.join(', ')} instead of ${created}, once.`];
	}
}
