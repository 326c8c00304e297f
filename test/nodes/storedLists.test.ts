/** Tests updates that send the complete record: if a list in the record cannot be read, nothing is written. */
import { createDeployedFixture, getFailureMessage } from './deployedFixture';

const { fixture, runPrepared } = createDeployedFixture();
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

test.each([
	[
		'ExecutiveReport',
		'scheduledReport.update',
		'/api/report-scheduling/{resourceId}',
		'emailAddresses',
		'Email Addresses',
	],
	['ReportedEmail', 'update', '/api/notified-emails/{resourceId}', 'tags', 'Tag'],
])('%s %s: nothing is written if a list in the record cannot be read', async (node, operation, path, field, label) => {
	const makeListUnreadable = () =>
		fixture.standIn.setOptions({
			transformEnvelope: (envelope, { route }) => {
				if (route !== `GET ${path}`) return envelope;
				const response = envelope as { data: object };
				return { ...response, data: { ...response.data, [field]: ['one', null] } };
			},
		});
	const message = await getFailureMessage(runPrepared(node, operation, makeListUnreadable));
	expect(message).toContain(`because the platform shows ${label} in a form that can't be read`);
	expect(fixture.standIn.getRequests(`PUT ${path}`)).toEqual([]);
});
