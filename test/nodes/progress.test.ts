/** Who is how far in every training of a period: the rows that a person asks for, on either way that a platform behaves. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { operationFixture, PERSONALITIES } from '../cases/operationFixture';
import { runNode } from '../n8n-core';

describe.each(PERSONALITIES)('$named', ({ personality }) => {
	const g = operationFixture(personality);
	const rowsOf = async (parameters: IDataObject) => {
		const options = { operation: 'progressOfPeriod', period: 'custom', excludeTests: false, ...parameters };
		const { items } = await runNode({ node: g.node('TrainingReport'), parameters: options, credential: g.credential });
		return items.map(({ json }) => json);
	};
	const one = async (parameters: IDataObject) => await rowsOf({ ...g.customer.scoped, ...parameters });
	const key = ({ enrollmentId, email }: IDataObject) => `${String(enrollmentId)} ${String(email)}`;
	const keys = (rows: IDataObject[]) => rows.map(key).sort();

	test('those who finished, who have not, and who are overdue of these', async () => {
		const [all, finished, open, overdue] = await Promise.all(
			['all', 'finished', 'notFinished', 'overdue'].map(async (onlyPeopleWho) => await one({ onlyPeopleWho })),
		);
		expect(keys([...(finished ?? []), ...(open ?? [])])).toEqual(keys(all ?? []));
		expect(new Set(finished?.map(({ status }) => status))).toEqual(new Set(['Completed']));
		expect(open?.filter(({ status }) => status === 'Completed')).toEqual([]);
		const late = (row: IDataObject) => typeof row.due === 'string' && Date.parse(row.due) < Date.now();
		expect(keys(overdue ?? [])).toEqual(keys((open ?? []).filter(late)));
		expect([finished, open, overdue].every((rows) => rows && rows.length > 0)).toBe(true);
	});

	test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('a due day lasts until it is over in %s', async (timezone) => {
		const today = DateTime.now().setZone(timezone);
		const overdueIf = async (dueDate: string) => {
			for (const enrollment of g.customer.holdings.enrollments) enrollment.dueDate = dueDate;
			const parameters = {
				...{ operation: 'progressOfPeriod', period: 'custom', excludeTests: false, onlyPeopleWho: 'overdue' },
				...g.customer.scoped,
			};
			const node = g.node('TrainingReport');
			const { items } = await runNode({ node, parameters, credential: g.credential, settings: { timezone } });
			return items.length > 0;
		};
		const before = g.customer.holdings.enrollments.map(({ dueDate }) => dueDate);
		expect(await overdueIf(today.toFormat('yyyy-MM-dd'))).toBe(false);
		expect(await overdueIf(today.minus({ days: 1 }).toFormat('yyyy-MM-dd'))).toBe(true);
		g.customer.holdings.enrollments.forEach((enrollment, at) => (enrollment.dueDate = before[at] ?? null));
	});

	test('those who failed, where a platform tells of exams', async () => {
		const failed = await one({ onlyPeopleWho: 'failed', output: 'raw' });
		expect(failed.length > 0).toBe(personality === 'deployed');
		expect(failed.filter(({ examStatusName }) => examStatusName !== 'Failed')).toEqual([]);
	});

	test('enrollments that began in the period, and none that is a test', async () => {
		const { enrollments } = g.customer.holdings;
		const [first] = enrollments;
		const began = first?.startDate ?? '';
		const dates = { periodStart: began, periodEnd: new Date(Date.parse(began) + 60_000).toISOString() };
		const expected = enrollments.filter(({ startDate }) => startDate === began).map(({ resourceId }) => resourceId);
		expect([...new Set((await one(dates)).map(({ enrollmentId }) => enrollmentId))]).toEqual(expected);
		if (first) first.markedAsTest = true;
		const left = (await one({ ...dates, excludeTests: true })).filter((row) => row.enrollmentId === first?.resourceId);
		if (first) first.markedAsTest = false;
		expect(left).toEqual([]);
	});

	test('every company: each row says of which customer it is', async () => {
		const rows = await rowsOf({ companyScope: 'every', onlyCompanies: { nameContains: 'a' } });
		expect(new Set(rows.map(({ companyName }) => companyName)).size).toBeGreaterThan(3);
		expect(rows.filter(({ trainingName, email }) => !trainingName || !email)).toEqual([]);
	});
});
