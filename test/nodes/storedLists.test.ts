/** Lists of a record that an update sends whole: one that can't be read is not written. */
import { createDeployedFixture, getFailureMessage } from './deployed';

const { fixture, runPrepared } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

test.each([
	[
		'ExecutiveReport',
		'updateScheduledReport',
		'/api/report-scheduling/{resourceId}',
		'emailAddresses',
		'Email Addresses',
	],
	['ReportedEmail', 'update', '/api/notified-emails/{resourceId}', 'tags', 'Tag'],
])('%s %s: a list of the record that cannot be read is not written', async (node, operation, path, field, label) => {
	const spoil = () =>
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route !== `GET ${path}`) return envelope;
				const answer = envelope as { data: object };
				return { ...answer, data: { ...answer.data, [field]: ['one', null] } };
			},
		});
	const message = await getFailureMessage(runPrepared(node, operation, spoil));
	expect(message).toContain(`because the platform shows ${label} in a form that can't be read`);
	expect(fixture.standIn.getRequests(`PUT ${path}`)).toEqual([]);
});
