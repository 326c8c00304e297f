/** The list of 'Only Statuses': what recent records have, as the service spells it, and words that its pages name. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCampaignTrigger } from '../../nodes/CampaignTrigger/SecurityAwarenessCampaignTrigger.node';
import { SecurityAwarenessEnrollmentTrigger } from '../../nodes/EnrollmentTrigger/SecurityAwarenessEnrollmentTrigger.node';
import { callLoadOptions } from '../n8n-core';
import { Active } from '../polling/pollingFixture';
import { nodeFixture, the, type NodeClass } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 6 });
const company = () => the(b.service.state.companies[1]).companyResourceId;
const one = (): IDataObject => ({ companyScope: 'one', company: { __rl: true, mode: 'id', value: company() } });
const open = async (node: NodeClass, parameters: IDataObject) =>
	(await callLoadOptions({ node: new node(), parameters, credential: b.credential(), method: 'loadStatuses' })).map(
		({ name, value }) => {
			expect(name).toBe(value);
			return name;
		},
	);

test("an enrollment's: those of the company's records first, then others, each once", async () => {
	const { enrollments } = b.service.state.of(company());
	the(enrollments[0]).status = 'FINISHED';
	the(enrollments[1]).status = 'Waiting for Approval';
	const shown = await open(SecurityAwarenessEnrollmentTrigger, { triggerOn: 'statusChanged', ...one() });
	const seen = new Set(enrollments.map(({ status }) => status));
	expect(new Set(shown.slice(0, seen.size))).toEqual(seen);
	expect(shown).toEqual(expect.arrayContaining(['FINISHED', 'Waiting for Approval', 'Stopped']));
	expect(shown).not.toContain('Finished');
	expect(new Set(b.asked.map(({ companyId }) => companyId))).toEqual(new Set([company()]));
});

test("a campaign's: those of the simulators and records that are watched", async () => {
	const form = { triggerOn: 'statusChanged', companyScope: 'every', simulators: ['phishing', 'smishing'] };
	await open(SecurityAwarenessCampaignTrigger, { ...form, watch: 'jobs' });
	await open(SecurityAwarenessCampaignTrigger, { ...form, watch: 'campaigns', simulators: ['quishing'] });
	expect(new Set(b.asked.map(({ route }) => route))).toEqual(
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
	b.service.fault({ route: 'POST /api/enrollments/search', kind: 'forbidden-company', times: Infinity });
	expect(await open(SecurityAwarenessEnrollmentTrigger, one())).toEqual(known);
});

test.each<[string, unknown]>([
	['chosen from the list', ['Completed']],
	['as version 1 has saved it', 'completed, Stopped'],
	['by an expression', '={{ ["COMPLETED"] }}'],
])('a change to one of them starts the workflow: %s', async (_how, statuses) => {
	const trigger = new Active(
		new SecurityAwarenessEnrollmentTrigger(),
		{ triggerOn: 'statusChanged', statuses, ...one() } as IDataObject,
		b.service,
	);
	const [first, second] = b.service.state.of(company()).enrollments;
	the(first).createTime = new Date().toISOString();
	the(second).createTime = new Date().toISOString();
	the(first).status = the(second).status = 'Draft';
	await trigger.poll();
	the(first).status = 'Completed';
	the(second).status = 'Paused';
	const items = the(await trigger.poll());
	expect(items.map(({ status }) => status)).toEqual(['Completed']);
});

test.each([SecurityAwarenessCampaignTrigger, SecurityAwarenessEnrollmentTrigger])(
	'%p: a text in version 1, a list from 1.1 on',
	(node) => {
		const { properties } = new node().description;
		const found = properties.filter(({ name }) => name === 'statuses');
		expect(found.map(({ type, displayOptions }) => [type, displayOptions?.show?.['@version']])).toEqual([
			['multiOptions', [{ _cnd: { gte: 1.1 } }]],
			['string', [{ _cnd: { lt: 1.1 } }]],
		]);
		for (const { displayOptions } of found) expect(displayOptions?.show?.triggerOn).toEqual(['statusChanged']);
	},
);
