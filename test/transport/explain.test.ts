/** What was thrown instead of an answer, as the versions of n8n throw it: n8n-core's own tests here run with one of them. */
import { connectionOf } from '../../nodes/shared/transport/connection';
import { explainFault } from '../../nodes/shared/transport/fault';

const connection = connectionOf({
	serverUrl: 'https://awareness.example.com',
	clientId: 'client',
	clientSecret: 'secret',
});
const request = { contract: 'POST /api/company-groups', repeatable: false, purpose: 'try' } as const;
const thrown = (message: string, more: object = {}) => Object.assign(new Error(message), more);

test.each([
	// The HTTP library of n8n 2.41 gives the error of a cut answer the answer's status.
	['aborted', { code: 'ECONNRESET', status: 200, response: { status: 200 } }, /the connection was cut/, true],
	['stream has been aborted', { code: 'ERR_BAD_RESPONSE', response: { status: 500 } }, /the connection was cut/, true],
	['timeout of 2000ms exceeded', { code: 'ECONNABORTED', response: { status: 200 } }, /did not answer in time/, true],
	['connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED' }, /cannot be reached/, false],
	['HTTP status 404', { status: 404 }, /does not issue tokens/, false],
	['Request failed', { response: { status: 400 } }, /did not accept the Client ID or Client Secret/, false],
	['aborted', { config: { url: 'https://awareness.example.com/connect/token' } }, /could not issue a token/, false],
])('%s %j', (message, more, reason, mayHaveBeenApplied) => {
	const { details } = explainFault(thrown(message, more), request, connection);
	expect(details.reason).toMatch(reason);
	expect(details.mayHaveBeenApplied ?? false).toBe(mayHaveBeenApplied);
});
