import type { TestEnvironment } from '../../real-n8n/stage';
import { getNodeItems } from '../../real-n8n/client';
import { buildTriggerWorkflow } from '../../real-n8n/workflow';
import { toIdLocator } from '../../cases/customerFixture';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import { PollingFixture, getIds, type RecordList } from '../../trigger/pollingFixture';

const TRIGGERS: Array<{ type: string; list: RecordList; search: string }> = [
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
const happensInTime = async (what: string, condition: () => boolean | Promise<boolean>): Promise<boolean> =>
	waitUntil(what, condition, OTHER_PROCESS_WAIT).then(
		() => true,
		() => false,
	);

/** Activates a workflow for each trigger, creates a record for each, and sees that it is given out, once. @returns what went wrong */
export async function fireTriggers({ client, service, credential }: TestEnvironment): Promise<string[]> {
	const fixture = new PollingFixture(service);
	const failures: string[] = [];
	// One after the other: an older n8n trips over two workflows that are saved at the same moment.
	for (const trigger of TRIGGERS) failures.push(...(await fireTrigger(trigger)));
	return failures;

	async function fireTrigger({ type, list, search }: (typeof TRIGGERS)[number]): Promise<string[]> {
		const countPolls = () => service.getRequests(search).length;
		const parameters = { companyScope: 'one', company: toIdLocator(fixture.getCompany(0).id) };
		const id = await client.createWorkflow(buildTriggerWorkflow(type, parameters, credential));
		await client.activate(id);
		// The first poll only looks what is there already.
		if (!(await happensInTime('two polls', () => countPolls() >= 2))) return [`The ${type} Trigger does not poll.`];

		fixture.now = Date.now();
		const created = fixture.createRecord(list, 0);
		const readDeliveredIds = async () => {
			const executions = await client.readExecutions(id);
			return getIds(executions.flatMap((execution) => getNodeItems(execution, 'Trigger')).map(({ json }) => json));
		};
		const isFired = await happensInTime('an execution', async () => (await readDeliveredIds()).length > 0);
		const pollsAfterDelivery = countPolls();
		await happensInTime('two more polls', () => countPolls() >= pollsAfterDelivery + 2);
		const deliveredIds = await readDeliveredIds();
		await client.deactivate(id);
		if (!isFired) return [`The ${type} Trigger did not give out the new record.`];
		return deliveredIds.join() === created
			? []
			: [`The ${type} Trigger gave out ${deliveredIds.join(', ')} instead of ${created}, once.`];
	}
}
