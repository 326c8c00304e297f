/** Limits that have no value, and a wrong name of the company header. */
import { the } from '../../cases/case';
import { attempt, limits, LISTED } from './attempt';
import { CASES, GuardFixture } from './guardFixture';
import { NO_VALUE, type Settings } from './settings';

let fixture: GuardFixture;
beforeAll(async () => {
	fixture = await GuardFixture.open('contract');
});
afterAll(async () => await fixture.close());

/** What is wrong when somebody reads or writes with a credential, or has an agent do it. */
async function wrongWith(settings: Settings, whose: 'own' | 'other'): Promise<string[]> {
	const parties = {
		own: fixture.customer.company,
		other: the(fixture.customer.state.companies.find(({ children }) => children.length > 0)),
	};
	const tried = [
		{ found: the(CASES.find(({ node }) => node === 'TargetGroup')), context: 'plain' as const },
		{ found: the(CASES.find(({ node }) => node === 'SystemUser')), context: 'type' as const },
	];
	const wrong: string[] = [];
	for (const each of tried)
		wrong.push(...(await attempt(fixture, { ...parties, ...each, settings, company: parties[whose] })).wrong);
	return wrong;
}

test.each<Partial<Settings>>([{ what: NO_VALUE }, { agents: NO_VALUE }, { ...LISTED, only: NO_VALUE }])(
	'a limit whose expression has no value allows nothing, and not everything: %j',
	async (settings) => {
		expect(await wrongWith(limits(settings), 'other')).toEqual([]);
	},
);

test.each(['X-Other', 'X-Other-Company-Id', 'Via', 'Origin'])(
	'a header that the platform does not know opens nothing: %s',
	async (header) => {
		expect(await wrongWith({ ...LISTED, header }, 'own')).toEqual([]);
	},
);
