import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { getNodeItems } from '../../real-n8n/client';
import { buildTriggerWorkflow } from '../../real-n8n/workflow';
import { toIdLocator } from '../../cases/customerFixture';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import { PollingFixture, getIds, type RecordList } from '../../trigger/pollingFixture';

const TESTED_TRIGGERS: Array<{ type: string; list: RecordList; searchRoute: string }> = [
	{
		type: 'Campaign',
		list: 'phishing',
		searchRoute: 'POST /api/phishing-simulator/phishing-campaign/search',
	},
	{
		type: 'Enrollment',
		list: 'enrollment',
		searchRoute: 'POST /api/enrollments/search',
	},
];

/** Returns true if the condition becomes true within a minute. */
const waitForCondition = async (description: string, condition: () => boolean | Promise<boolean>): Promise<boolean> =>
	waitUntil(description, condition, OTHER_PROCESS_WAIT).then(
		() => true,
		() => false,
	);

/**
 * Activates a workflow with each trigger, creates a record, and checks that the trigger delivers it exactly once.
 * @returns a sentence for each failure
 */
export async function checkTriggers({ client, service, credential }: TestEnvironment): Promise<string[]> {
	const fixture = new PollingFixture(service);
	const failures: string[] = [];
	// The triggers run one after the other, because an older n8n fails if two workflows are saved at the same moment.
	for (const trigger of TESTED_TRIGGERS) failures.push(...(await checkTrigger(trigger)));
	return failures;

	async function checkTrigger({ type, list, searchRoute }: (typeof TESTED_TRIGGERS)[number]): Promise<string[]> {
		const countPolls = () => service.getRequests(searchRoute).length;
		const parameters = { companyScope: 'one', company: toIdLocator(fixture.getCompany(0).id) };
		const id = await client.createWorkflow(buildTriggerWorkflow(type, parameters, credential));
		await client.activate(id);
		// The first poll delivers nothing. It only remembers which records exist.
		if (!(await waitForCondition('two polls', () => countPolls() >= 2))) return [`The ${type} Trigger does not poll.`];

		fixture.now = Date.now();
		const createdId = fixture.createRecord(list, 0);
		const readDeliveredIds = async () => {
			const executions = await client.readExecutions(id);
			return getIds(executions.flatMap((execution) => getNodeItems(execution, 'Trigger')).map(({ json }) => json));
		};
		const hasFired = await waitForCondition('an execution', async () => (await readDeliveredIds()).length > 0);
		const pollsAfterDelivery = countPolls();
		await waitForCondition('two more polls', () => countPolls() >= pollsAfterDelivery + 2);
		const deliveredIds = await readDeliveredIds();
		await client.deactivate(id);
		if (!hasFired) return [`The ${type} Trigger did not give out the new record.`];
		return deliveredIds.join() === createdId
			? []
			: [`The ${type} Trigger gave out ${deliveredIds.join(', ')} instead of ${createdId}, once.`];
	}
}
