/** What counts as a change of a record's status. */
import { HOUR } from './deployment';
import { triggerFixtures } from './fixture';

const parameters = { triggerOn: 'statusChanged' };
const fixture = triggerFixtures({ trigger: 'Enrollment', companies: 3, isDirect: true, parameters });

test.each([undefined, null, ''])('a status that is not told for a while (%p) has not changed', async (status) => {
	const it = fixture();
	const records = it.create(20, { created: it.clock.now() - 5 * HOUR, status: 'Scheduled' });
	await it.poll(3);
	let isTold = false;
	const answer = it.answers.answer.bind(it.answers);
	it.answers.answer = (asked) => {
		const answered: { status: number; data: unknown } = structuredClone(answer(asked));
		const { data } = answered;
		if (!isTold && typeof data === 'object' && data !== null && 'results' in data && Array.isArray(data.results))
			for (const row of data.results) if (typeof row === 'object' && row !== null) Object.assign(row, { status });
		return answered;
	};
	expect(await it.poll(3)).toEqual([]);
	const [changed] = records;
	if (changed) it.platform.setStatus(changed, 'Finished');
	expect(await it.poll(2)).toEqual([]);
	isTold = true;
	const items = await it.poll(3);
	expect(items.map(({ json }) => [json.marker, json.previousStatus, json.status])).toEqual([
		[changed?.marker, 'Scheduled', 'Finished'],
	]);
});
