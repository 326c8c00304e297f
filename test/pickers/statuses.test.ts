/** Tests of the list in the field 'Status Names or IDs'. It shows the statuses of recent records and the documented statuses. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCampaignTrigger } from '../../nodes/CampaignTrigger/SecurityAwarenessCampaignTrigger.node';
import { SecurityAwarenessEnrollmentTrigger } from '../../nodes/EnrollmentTrigger/SecurityAwarenessEnrollmentTrigger.node';
import { callLoadOptions } from '../n8n-core';
import { createNodeFixture, requireValue, type NodeClass } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 6 });
const getCompanyId = () => requireValue(fixture.standIn.world.companies[1]).companyResourceId;
const createScope = (): IDataObject => ({
	companyScope: 'one',
	company: { __rl: true, mode: 'id', value: getCompanyId() },
});
/** Opens the list of statuses. @returns the names of the statuses, after checking that each name is also the value */
const openList = async (node: NodeClass, parameters: IDataObject) =>
	(
		await callLoadOptions({
			node: new node(),
			parameters,
			credential: fixture.buildCredentialData(),
			method: 'loadStatuses',
		})
	).map(({ name, value }) => {
		expect(name).toBe(value);
		return name;
	});

test("the enrollment trigger shows the statuses of the company's records first, then other known ones, each once", async () => {
	const { enrollments } = fixture.standIn.world.getCompanyData(getCompanyId());
	requireValue(enrollments[0]).status = 'FINISHED';
	requireValue(enrollments[1]).status = 'Waiting for Approval';
	const statuses = await openList(SecurityAwarenessEnrollmentTrigger, { triggerOn: 'statusChanged', ...createScope() });
	const recordStatuses = new Set(enrollments.map(({ status }) => status));
	expect(new Set(statuses.slice(0, recordStatuses.size))).toEqual(recordStatuses);
	expect(statuses).toEqual(expect.arrayContaining(['FINISHED', 'Waiting for Approval', 'Stopped']));
	expect(statuses).not.toContain('Finished');
	expect(new Set(fixture.requests.map(({ companyId }) => companyId))).toEqual(new Set([getCompanyId()]));
});

test('the campaign trigger reads the statuses of the selected simulators and kinds of records', async () => {
	const form = { triggerOn: 'statusChanged', companyScope: 'every', simulators: ['phishing', 'smishing'] };
	await openList(SecurityAwarenessCampaignTrigger, { ...form, watch: 'jobs' });
	await openList(SecurityAwarenessCampaignTrigger, { ...form, watch: 'campaigns', simulators: ['quishing'] });
	expect(new Set(fixture.requests.map(({ route }) => route))).toEqual(
		new Set([
			'POST /api/phishing-simulator/phishing-campaign-job-report/search',
			'POST /api/smishing-simulator/smishing-campaign-job-report/search',
			'POST /api/quishing-simulator/quishing-campaign/search',
		]),
	);
});

test('the campaign trigger reads the statuses again after a change of any field that selects the records', () => {
	const { properties } = new SecurityAwarenessCampaignTrigger().description;
	const { loadOptionsDependsOn } = requireValue(properties.find(({ name }) => name === 'statuses')).typeOptions ?? {};
	expect(loadOptionsDependsOn).toEqual(
		expect.arrayContaining(['companyScope', 'company.value', 'simulators', 'watch']),
	);
});

test('if the records cannot be read, only the known statuses are shown', async () => {
	const knownStatuses = ['Auto-Enroll', 'Error', 'Finished', 'Scheduled', 'Sending', 'Stopped'];
	const withoutCompany = { companyScope: 'one', company: { __rl: true, mode: 'list', value: '' } };
	expect(await openList(SecurityAwarenessEnrollmentTrigger, withoutCompany)).toEqual(knownStatuses);
	fixture.standIn.addFault({ route: 'POST /api/enrollments/search', kind: 'forbidden-company', times: Infinity });
	expect(await openList(SecurityAwarenessEnrollmentTrigger, createScope())).toEqual(knownStatuses);
});
