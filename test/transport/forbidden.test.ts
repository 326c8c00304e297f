/** What is said of a 403. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { nodeFixture, failureOf } from '../n8n-core/nodeFixture';
const b = nodeFixture({ companies: 60 });

describe('403', () => {
	const LACKS = "This credential's token does not list the permission 'companies/search|POST'.";

	test('names the permission that the token lacks, also in the run that fetched it', async () => {
		const store = b.newStore('limited');
		for (let run = 1; run <= 2; run++) {
			const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getMany' }, { store }));
			expect(error).toMatchObject({
				message: 'Could not get companies: access was refused (403)',
				httpCode: '403',
			});
			expect(error.description).toBe(
				`The service says: You do not have permission to perform this operation. ${LACKS} Use the credential of a client whose role includes it (usually Reseller), or ask the platform's administrator to add it.`,
			);
		}
	});

	test('of a company that is no customer says so', async () => {
		const { companyResourceId } = b.service.state.foreign;
		const company = { mode: 'id', value: companyResourceId };
		const error = await failureOf(
			b.run(SecurityAwarenessLeaderboard, { operation: 'export', companyScope: 'one', company }),
		);
		expect(error.message).toBe(`Could not export leaderboard for '${companyResourceId}': access was refused (403)`);
		expect(error.description).toContain('Check that this company is one of your customers');
	});

	test('because of the address names the address', async () => {
		const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getMany' }, { as: 'blocked' }));
		expect(error.description).toMatch(/^The service says: Your IP address [\d.:a-f]+ is not allowed for this client\./);
		expect(error.description).toContain("n8n's address must be among them");
	});
});
