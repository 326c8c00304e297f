/** Lists of companies from platforms that ignore a filter or leave out a time. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { hintsOf, jsonOf, nodeFixture } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';

const b = nodeFixture({ companies: 1 });
const run = async (show: string, results: IDataObject[]) => {
	const data = { results, totalNumberOfRecords: results.length, totalNumberOfPages: 1 };
	const { store } = await deployment({ 'POST /api/companies/search': { data } });
	const result = await b.run(SecurityAwarenessCompany, { operation: 'getMany', show, returnAll: true }, { store });
	return { ids: jsonOf(result.items).map(({ companyResourceId }) => companyResourceId), hints: hintsOf(result) };
};

test.each<[string, IDataObject, boolean]>([
	['fewer users than its limit', { targetUserCount: 8, numberOfUsers: '9' }, false],
	['as many', { targetUserCount: 9, numberOfUsers: '9' }, false],
	['more', { targetUserCount: 10, numberOfUsers: '9' }, true],
	['more, without a limit', { targetUserCount: 10, numberOfUsers: '9', isNumberOfUsersLimited: false }, false],
	['users, with a limit that is not told', { targetUserCount: 8, numberOfUsers: null }, true],
	['no number', {}, true],
])('over the limit, listed by the platform: a company with %s', async (_what, numbers, isOver) => {
	expect((await run('overLimit', [{ companyResourceId: 'a', ...numbers }])).ids).toEqual(isOver ? ['a'] : []);
});

test('recently created: a company without a time is kept, and told', async () => {
	const now = new Date().toISOString();
	const { ids, hints } = await run('recent', [
		{ companyResourceId: 'new', createTime: now },
		{ companyResourceId: 'old', createTime: '2020-01-01T00:00:00Z' },
		{ companyResourceId: 'a', createTime: null },
		{ companyResourceId: 'b', createTime: 'soon' },
	]);
	expect(ids).toEqual(['new', 'a', 'b']);
	expect(hints).toEqual(['2 companies have no date that can be read. They are in the output, whatever the period is.']);
});
