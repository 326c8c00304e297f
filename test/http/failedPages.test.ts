/** Tests lists of which one page fails at first: the list is still complete, and no record is in it twice. */
import { SecurityAwarenessTargetUser } from '../../nodes/TargetUser/SecurityAwarenessTargetUser.node';
import { createNodeFixture, getHintMessages, getJson, parsePageNumber, requireValue } from '../n8n-core/nodeFixture';
import { pauses } from '../setup/testClock';

const SEARCH_USERS = 'POST /api/target-users/search';
const PAGE_SIZE = 5;

// The contract has no target users.
const fixture = createNodeFixture({ profile: 'deployed', companyCount: 12 });
/** Finds a customer whose people need at least three pages. */
const findCustomer = () =>
	requireValue(fixture.standIn.world.companies.find(({ targetUserCount }) => targetUserCount > 2 * PAGE_SIZE));

test.each([
	['without Retry-After', undefined, [250, 500]],
	['with Retry-After', '2', [2000, 2000]],
])('the second page fails twice with a 503 %s: two pauses, and everyone once', async (_title, retryAfter, expected) => {
	const { companyResourceId: id, companyName } = findCustomer();
	const { users } = fixture.standIn.world.getCompanyData(id);
	fixture.standIn.addFault({ route: SEARCH_USERS, kind: 'status-503', pageNumber: 2, times: 2, retryAfter });
	// Half of the longest pause, which is random.
	jest.spyOn(Math, 'random').mockReturnValue(0.5);

	const result = await fixture.run(SecurityAwarenessTargetUser, {
		operation: 'getMany',
		companyScope: 'one',
		company: { __rl: true, mode: 'list', value: id, cachedResultName: companyName },
		returnAll: true,
		options: { pageSize: PAGE_SIZE },
	});

	const ids = getJson(result.items).map(({ resourceId }) => resourceId);
	expect(ids.sort()).toEqual(users.map(({ resourceId }) => resourceId).sort());
	expect(pauses).toEqual(expected);
	const pageNumbers = fixture.standIn.getRequests(SEARCH_USERS).map(parsePageNumber);
	const pageCount = Math.ceil(users.length / PAGE_SIZE);
	expect(pageNumbers.sort()).toEqual([1, 2, 2, ...Array.from({ length: pageCount - 1 }, (_, index) => index + 2)]);
	expect(getHintMessages(result)).toEqual([]);
});
