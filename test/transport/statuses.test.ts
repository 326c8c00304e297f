/** What each status is explained as: of the service (contract 7, and what stands in front of it), and of the sign-in. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { answering, nodeFixture, failureOf, sendJson } from '../n8n-core/nodeFixture';

const b = nodeFixture();

const REQUESTS = {
	'of one thing': () =>
		[
			SecurityAwarenessTrainingReport,
			{ operation: 'getSummary', companyScope: 'own', enrollment: { __rl: true, mode: 'id', value: 'e-1' } },
		] as const,
	'of no thing': () => [SecurityAwarenessCompany, { operation: 'getOwn' }] as const,
	'of a list': () => [SecurityAwarenessTargetGroup, { operation: 'getMany', companyScope: 'own' }] as const,
};

const INPUT = /Check the values of the fields/;
const LATER = /Try again later. If it goes on, ask the platform about it/;
const SERVICE: Array<[status: number, what: keyof typeof REQUESTS, says: RegExp, advises: RegExp]> = [
	[400, 'of no thing', /the service did not accept the input \(400\)$/, INPUT],
	[422, 'of a list', /the service did not accept the input \(422\)$/, INPUT],
	[404, 'of one thing', /nothing was found with the ID 'e-1' \(404\)$/, /deleted, or belong to another company/],
	[404, 'of no thing', /the service does not know this address \(404\)$/, /Check the credential's Base URL/],
	[405, 'of one thing', /the service answered with status 405$/, INPUT],
	[405, 'of no thing', /the service answered with status 405$/, INPUT],
	[409, 'of no thing', /something with this name already exists \(409\)$/, /Choose another name/],
	[410, 'of one thing', /the service answered with status 410$/, INPUT],
	[413, 'of no thing', /the request is too large for the service \(413\)$/, /smaller file/],
	[304, 'of no thing', /the service answered with status 304$/, /Base URL: the address forwards to another one/],
	[500, 'of one thing', /the service is having trouble \(500\)$/, LATER],
	[501, 'of no thing', /the service is having trouble \(501\)$/, LATER],
];

test.each(SERVICE)('%i, asked %s', async (status, what, says, advises) => {
	const { store } = await answering((_request, response) =>
		status === 304 ? response.writeHead(304).end() : sendJson(response, status, { message: 'No.' }),
	);
	const [node, parameters] = REQUESTS[what]();
	const error = await failureOf(b.run(node, parameters, { store }));
	expect(error.message).toMatch(says);
	expect(error.description).toMatch(advises);
});

const NO_SIGN_IN = /that address does not issue tokens for this service$/;
const REFUSED = /the service did not accept the Client ID or Client Secret$/;
const ADDRESS = /^Check the credential's Base URL: it must be the address of the API, not of the website\.$/;
const SECRET = /^Open the credential and enter both again/;
const SIGN_IN: Array<[status: number, says: RegExp, advises: RegExp]> = [
	[404, NO_SIGN_IN, ADDRESS],
	[405, NO_SIGN_IN, ADDRESS],
	[400, REFUSED, SECRET],
	[401, REFUSED, SECRET],
	[403, REFUSED, SECRET],
	[429, /the service could not issue a token \(429\)$/, LATER],
	[500, /the service could not issue a token \(500\)$/, LATER],
	[503, /the service could not issue a token \(503\)$/, LATER],
];

test.each(SIGN_IN)('%i, asked for a token', async (status, says, advises) => {
	const { store, requests } = await answering(
		(_request, response) => sendJson(response, 200, { data: {} }),
		(response) =>
			sendJson(response, status, [400, 401, 403].includes(status) ? { error: 'invalid_client' } : { message: 'No.' }),
	);
	const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store }));
	expect(error.message).toMatch(says);
	expect(error.description).toMatch(advises);
	expect(requests).toEqual([]);
});
