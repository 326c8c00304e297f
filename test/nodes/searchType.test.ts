/** Search Type: filled in for new nodes, chosen from a list, or typed. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { byId } from '../cases/customerFixture';
import { nodeFixture, the } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 6 });
const form = (): IDataObject => {
	const company = the(b.service.state.companies[1]).companyResourceId;
	const { resourceId } = the(b.service.state.of(company).campaigns('phishing')[0]);
	return { operation: 'searchJobUsers', companyScope: 'one', company: byId(company), job: byId(`${resourceId}/1`) };
};
const asked = () => b.asked.map(({ path }) => /campaign-job-report\/([^/]+)\/search\//.exec(path)?.[1]);

test('a new node lists everybody without a choice; one of version 1 that was saved so is still refused', async () => {
	await b.run(SecurityAwarenessPhishingCampaign, form());
	expect(asked()).toEqual(['All']);
	const saved = b.run(SecurityAwarenessPhishingCampaign, form(), { typeVersion: 1 });
	await expect(saved).rejects.toThrow();
	expect(asked()).toEqual(['All']);
});

test.each<[string, unknown]>([
	['chosen', { __rl: true, mode: 'list', value: 'Clicked', cachedResultName: 'Clicked' }],
	['typed', byId('clicked')],
	['saved as text', 'Clicked'],
])('%s, in both versions', async (_how, searchType) => {
	for (const typeVersion of [1, 1.1])
		await b.run(SecurityAwarenessPhishingCampaign, { ...form(), searchType } as IDataObject, { typeVersion });
	expect(asked().every((word) => /^clicked$/i.test(word ?? ''))).toBe(true);
	expect(asked().length).toBeGreaterThanOrEqual(2);
});
