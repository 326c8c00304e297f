/** Tests that 'Not Again Within (Hours)' skips people who got the message again in an earlier run of the node. */
import type { IDataObject } from 'n8n-workflow';
import { NODE_FOLDERS } from '../cases/campaigns';
import { findSeededEnrollment } from '../cases/enrollments';
import { findRunningJob } from '../cases/resend';
import { getHintMessages, getJson } from '../n8n-core/nodeFixture';
import { createDeployedFixture } from '../nodes/deployedFixture';
import { SIMULATORS } from '../stand-in/profile';

const { fixture, run } = createDeployedFixture();

const NOT_AGAIN = { notAgainWithin: 24 };
const countResendRequests = () => fixture.requests.filter(({ route }) => /resend/.test(route)).length;

const resendEnrollment = (parameters: IDataObject) =>
	run('Enrollment', 'followUp.resend', {
		...findSeededEnrollment(fixture.customer, 1).parameters,
		sendTo: ['notCompleted'],
		...parameters,
	});

test('an enrollment: the second run skips everyone, and says so', async () => {
	const firstRun = await resendEnrollment({ options: NOT_AGAIN });
	const [{ peopleCount } = {}] = getJson(firstRun.items);
	expect(getJson(firstRun.items)).toEqual([expect.objectContaining({ result: 'sent', skippedCount: 0 })]);
	expect(peopleCount).toBeGreaterThan(0);
	fixture.standIn.clearLog();
	const secondRun = await resendEnrollment({ options: NOT_AGAIN });
	expect(getJson(secondRun.items)).toEqual([
		expect.objectContaining({ result: 'nothingSent', peopleCount: 0, skippedCount: peopleCount }),
	]);
	expect(getHintMessages(secondRun).join()).toContain("was skipped by 'Not Again Within (Hours)', which is 24");
	const countRun = await resendEnrollment({ options: NOT_AGAIN, countOnly: true });
	expect(getHintMessages(countRun).join()).toContain('Nothing would be sent, because everyone');
	expect(countResendRequests()).toBe(0);
});

test('an enrollment that was resent without the option: the people are skipped, too', async () => {
	await resendEnrollment({});
	const { items } = await resendEnrollment({ options: NOT_AGAIN });
	expect(getJson(items)).toEqual([expect.objectContaining({ result: 'nothingSent', peopleCount: 0 })]);
	const otherStatusRun = await resendEnrollment({ sendTo: ['noResponse'], options: NOT_AGAIN });
	expect(getJson(otherStatusRun.items)).toEqual([expect.objectContaining({ result: 'sent', skippedCount: 0 })]);
});

test.each(SIMULATORS)('a %s job that was resent without the option: the people are skipped', async (simulator) => {
	const resendJob = (parameters: IDataObject) =>
		run(NODE_FOLDERS[simulator], 'campaignJob.resend', {
			...findRunningJob(fixture.customer, simulator).parameters,
			sendTo: ['clicked'],
			...parameters,
		});
	await resendJob({});
	const { items } = await resendJob({ options: NOT_AGAIN });
	expect(getJson(items)).toEqual([expect.objectContaining({ result: 'nothingSent', peopleCount: 0 })]);
});
