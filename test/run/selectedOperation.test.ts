/** Tests that a resource and an operation together select what runs, because several resources of a node have an operation 'getMany'. */
import { createOperationFixture } from '../cases/operationFixture';
import { runNode, runTool } from '../n8n-core';
import { getFailureMessage } from '../nodes/deployedFixture';

const fixture = createOperationFixture('deployed');

/** The request that 'getMany' sends for each resource of the Phishing Campaign node. */
const REQUESTS_BY_RESOURCE = [
	['campaign', 'POST /api/phishing-simulator/phishing-campaign/search'],
	['campaignJob', 'POST /api/phishing-simulator/phishing-campaign-job-report/search'],
	['scenario', 'POST /api/phishing-simulator/phishing-scenario/search'],
	['userActivity', 'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search'],
] as const;

const createRun = (parameters: Record<string, string>) => ({
	node: fixture.getNode('PhishingCampaign'),
	parameters: { ...fixture.customer.companyParameters, ...parameters },
	credential: fixture.credential,
});

const listRoutes = () => fixture.requests.map(({ route }) => route);

test.each(REQUESTS_BY_RESOURCE)('getMany of the resource %s sends its own request', async (resource, route) => {
	const run = createRun({ resource, operation: 'getMany' });
	fixture.standIn.clearLog();
	await runNode(run);
	expect(listRoutes()).toEqual([route]);
});

test.each(REQUESTS_BY_RESOURCE)('as a tool of an AI agent, too: %s', async (resource, route) => {
	const run = createRun({ resource, operation: 'getMany' });
	fixture.standIn.clearLog();
	await runTool(run);
	expect(listRoutes()).toEqual([route]);
});

test.each([
	[{ resource: 'campaigns', operation: 'getMany' }, "'Resource' isn't one of this node"],
	[{ resource: 'scenario', operation: 'delete' }, "'Operation' isn't one of the resource 'Scenario'"],
	[{ resource: 'constructor', operation: 'getMany' }, "'Resource' isn't one of this node"],
])('%j does not exist, so nothing is sent', async (parameters, message) => {
	const run = createRun(parameters);
	fixture.standIn.clearLog();
	expect(await getFailureMessage(runNode(run))).toContain(message);
	expect(fixture.requests).toEqual([]);
});
