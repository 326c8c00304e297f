/**
 * What a credential may do, against everything that somebody can write into a form: 500 random histories, of which
 * npm test tries a sample. A server that knows the contract, and nothing of the nodes, judges each request as it arrives.
 */
import fc from 'fast-check';
import { deepOr, sample, seed } from '../../setup/depth';
import { PERSONALITY_NAMES, type PersonalityName } from '../../stand-in/personality';
import { GuardFixture } from './guardFixture';
import { histories } from './history';
import { Player } from './player';
import { CHOSEN_OFF, OFF, type Settings } from './settings';

const HISTORIES = deepOr(500, 30);
const STEPS = deepOr(4, 2);
const grounds = new Map<PersonalityName, GuardFixture>();
let played = 0;

beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
	const all = [...grounds.values()];
	const sum = (numberOf: (fixture: GuardFixture) => number) =>
		all.reduce((before, fixture) => before + numberOf(fixture), 0);
	const [limited, refused, limitedRequests] = [
		sum(({ count }) => count.limited),
		sum(({ count }) => count.refused),
		sum(({ count }) => count.requests),
	];
	process.stdout.write(
		`The guard: ${played} histories, ${sum(({ front }) => front.count)} requests arrived; ${limited} steps with a limit, of which ${refused} failed, and ${limitedRequests} requests from them.\n`,
	);
	for (const fixture of grounds.values()) await fixture.close();
});

async function groundOf(personality: PersonalityName): Promise<GuardFixture> {
	const fixture = grounds.get(personality) ?? (await GuardFixture.open(personality));
	grounds.set(personality, fixture);
	return fixture;
}

/** Plays random histories. @param change what to do with the settings of each */
async function play(numRuns: number, change: (settings: Settings[]) => Settings[]): Promise<void> {
	const personality = fc.constantFrom(...sample(PERSONALITY_NAMES, 1));
	await fc.assert(
		fc.asyncProperty(personality, histories(STEPS), async (name, history) => {
			played++;
			const changed = { ...history, settings: change(history.settings) };
			expect((await new Player(await groundOf(name), changed).play()).join('\n')).toBe('');
		}),
		{ numRuns, seed: Number(process.env.GUARD_SEED ?? seed) },
	);
}

test('whatever is written into a form, a credential does no more than it may', async () => {
	await play(HISTORIES, (settings) => settings);
}, 600_000);

test('a credential without limits does all that it did', async () => {
	await play(deepOr(100, 5), (settings) => settings.map((_, index) => (index === 0 ? OFF : CHOSEN_OFF)));
}, 600_000);
