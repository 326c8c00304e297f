/** Tests the filter by time of the audit log, which the node applies itself (deployment activity 9). */
import { range } from 'lodash';

import { SecurityAwarenessAccount } from '../../nodes/Account/SecurityAwarenessAccount.node';
import { createNodeFixture, getJson, requireValue } from '../n8n-core/nodeFixture';

const ROUTE = 'POST /api/audit-logs/search';
const MINUTE_MS = 60_000;
const NEWEST = Date.parse('2026-09-30T12:00:00Z');

const fixture = createNodeFixture({ profile: 'deployed', companyCount: 3 });

/** Returns the time of the entry with this number. Entry 0 is the newest, and each further one is a minute older. */
const getLogDate = (number: number) => new Date(NEWEST - number * MINUTE_MS).toISOString();

/** Adds entries to the audit log of a company. They are stored in another order than by time. */
function addEntries(companyIndex: number, count: number): void {
	const { world } = fixture.standIn;
	const { companyResourceId } = requireValue(world.companies[companyIndex]);
	world.getCompanyData(companyResourceId).auditEntries = range(count)
		.map((number) => ({
			resourceId: `entry-${companyIndex}-${number}`,
			userName: 'admin@example.com',
			entityName: 'Sales',
			operation: 'Update',
			auditDescription: 'Sales was updated',
			logDate: getLogDate(number),
		}))
		.sort((first, second) => (first.resourceId < second.resourceId ? -1 : 1));
}

const listEntries = async (parameters: object) => {
	const { items, hints } = await fixture.run(SecurityAwarenessAccount, {
		resource: 'auditLog',
		operation: 'getMany',
		companyScope: 'one',
		company: { mode: 'id', value: requireValue(fixture.standIn.world.companies[0]).companyResourceId },
		returnAll: true,
		...parameters,
	});
	return { ids: getJson(items).map(({ resourceId }) => resourceId), hints };
};

const buildIds = (numbers: number[], companyIndex = 0) => numbers.map((number) => `entry-${companyIndex}-${number}`);

test('entries since a time are returned oldest first, with the entry of that time', async () => {
	addEntries(0, 12);
	const { ids } = await listEntries({ filters: { loggedSince: getLogDate(3) } });
	expect(ids).toEqual(buildIds([3, 2, 1, 0]));
});

test('reading stops at the first page with an older entry, and no date is sent', async () => {
	addEntries(0, 900);
	const { ids } = await listEntries({ filters: { loggedSince: getLogDate(49) } });
	expect(ids).toHaveLength(50);
	const requests = fixture.standIn.getRequests(ROUTE);
	expect(requests).toHaveLength(1);
	expect(requests[0]?.body).toMatchObject({
		orderBy: 'LogDate',
		ascending: false,
		filter: { FilterGroups: [] },
	});
	expect(JSON.stringify(requests[0]?.body)).not.toContain('2026-09');
});

test('a limit leaves out the newest entries, and a hint says that there are more', async () => {
	addEntries(0, 300);
	const { ids, hints } = await listEntries({
		returnAll: false,
		limit: 2,
		filters: { loggedSince: getLogDate(249) },
	});
	expect(ids).toEqual(buildIds([249, 248]));
	expect(JSON.stringify(hints)).toContain("There are more results than 'Limit'");
});

test('each customer of every company has its own entries since the time', async () => {
	addEntries(0, 5);
	addEntries(1, 150);
	const { ids } = await listEntries({
		companyScope: 'every',
		company: undefined,
		filters: { loggedSince: getLogDate(1) },
	});
	expect([...ids].sort()).toEqual([...buildIds([0, 1]), ...buildIds([0, 1], 1)].sort());
});

test('with another sort order, all entries are read and the old ones are left out', async () => {
	addEntries(0, 5);
	const { ids } = await listEntries({
		filters: { loggedSince: getLogDate(2) },
		sort: { fields: { by: 'LogDate', direction: 'descending' } },
	});
	expect(ids).toEqual(buildIds([0, 1, 2]));
});

test('without a time, all entries are returned, newest first', async () => {
	addEntries(0, 3);
	const { ids } = await listEntries({});
	expect(ids.slice(0, 3)).toEqual(buildIds([0, 1, 2]));
	expect(ids.length).toBeGreaterThan(3);
});
