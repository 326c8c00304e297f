/** The list of 'Only Statuses': what recent records have, as the service spells it, and words that its pages name. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCampaignTrigger } from '../../nodes/CampaignTrigger/SecurityAwarenessCampaignTrigger.node';
import { SecurityAwarenessEnrollmentTrigger } from '../../nodes/EnrollmentTrigger/SecurityAwarenessEnrollmentTrigger.node';
import { callLoadOptions } from '../n8n-core';
import { createNodeFixture, requireValue, type NodeClass } from '../n8n-core/nodeFixture';

const b = createNodeFixture({ companyCount: 6 });
const company = () => requireValue(b.standIn.state.companies[1]).companyResourceId;
const one = (): IDataObject => ({ companyScope: 'one', company: { __rl: true, mode: 'id', value: company() } });
const open = async (node: NodeClass, parameters: IDataObject) =>
	(await callLoadOptions({ node: new node(), parameters, credential: b.buildCredentialData(), method: 'loadStatuses' })).map(
		({ name, value }) => {
			expect(name).toBe(value);
			return name;
		},
	);

test("an enrollment's: those of the company's records first, then others, each once", async () => {
	const { enrollments } = b.standIn.state.getCompanyData(company());
	requireValue(enrollments[0]).status = 'FINISHED';
	requireValue(enrollments[1]).status = 'Waiting for Approval';
	const shown = await open(SecurityAwarenessEnrollmentTrigger, { triggerOn: 'statusChanged', ...one() });
	const seen = new Set(enrollments.map(({ status }) => status));
	expect(new Set(shown.slice(0, seen.size))).toEqual(seen);
	expect(shown).toEqual(expect.arrayContaining(['FINISHED', 'Waiting for Approval', 'Stopped']));
	expect(shown).not.toContain('Finished');
	expect(new Set(b.requests.map(({ companyId }) => companyId))).toEqual(new Set([company()]));
});

test("a campaign's: those of the simulators and records that are watched", async () => {
	const form = { triggerOn: 'statusChanged', companyScope: 'every', simulators: ['phishing', 'smishing'] };
	await open(SecurityAwarenessCampaignTrigger, { ...form, watch: 'jobs' });
	await open(SecurityAwarenessCampaignTrigger, { ...form, watch: 'campaigns', simulators: ['quishing'] });
	expect(new Set(b.requests.map(({ route }) => route))).toEqual(
		new Set([
			'POST /api/phishing-simulator/phishing-campaign-job-report/search',
			'POST /api/smishing-simulator/smishing-campaign-job-report/search',
			'POST /api/quishing-simulator/quishing-campaign/search',
		]),
	);
});

test('what cannot be read yet, or is refused, leaves the known words', async () => {
	const known = ['Auto-Enroll', 'Error', 'Finished', 'Scheduled', 'Sending', 'Stopped'];
	const nobody = { companyScope: 'one', company: { __rl: true, mode: 'list', value: '' } };
	expect(await open(SecurityAwarenessEnrollmentTrigger, nobody)).toEqual(known);
	b.standIn.addFault({ route: 'POST /api/enrollments/search', kind: 'forbidden-company', times: Infinity });
	expect(await open(SecurityAwarenessEnrollmentTrigger, one())).toEqual(known);
});
