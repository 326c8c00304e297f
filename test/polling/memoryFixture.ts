/** What the tests of the memory share: memories of one kind, and lists that were read. */
import { Clock } from '../../nodes/shared/polling/clock';
import { Memory } from '../../nodes/shared/polling/memory';
import type { Found, Reading } from '../../nodes/shared/polling/reading';
import type { NewsRules } from '../../nodes/shared/polling/rules';
import { newKind, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, START } from './pollingFixture';

export const HOUR_NUMBER = START / HOUR;
export const COMPANY = 'aaaaa';

/** What a trigger remembers that was activated two days ago and has read the list of all, and all companies' lists. */
export const usual = (): KindState => ({
	...newKind('s', 's', START - 2 * DAY),
	...{ polledAt: START - HOUR, from: START - DAY, cleanRounds: 1 },
});
/** The same before its first round through the companies is complete. */
export const inFirstRound = { cleanRounds: 0 };
/** The same where each company is asked, before the first of those rounds is complete. */
export const inFirstAskingEach = { ...inFirstRound, asksEach: true };
/** What was said since the test began. */
export const said: string[] = [];

/** A memory of that trigger. @param more what else it remembers */
export function memoryWith(
	more: Partial<KindState> = {},
	{ isNew = false, served = START, ...rules }: Partial<NewsRules> & { isNew?: boolean; served?: number } = {},
): Memory {
	const clock = new Clock();
	clock.hear(served);
	const warn = (message: string) => said.push(message);
	const usualRules = { clock, windowMs: DAY, watchedMs: 0, watchesStatus: false, alsoFirstSeen: false, warn };
	return new Memory({ ...usual(), ...structuredClone(more) }, isNew, { ...usualRules, ...rules });
}
/** A memory of a trigger that is being activated. */
export const atActivation = ({
	since = START,
	...rules
}: Partial<NewsRules> & { served?: number; since?: number } = {}) =>
	memoryWith({ since, from: 0, ...inFirstRound }, { isNew: true, ...rules });

/** @param age how old it is, in ms; undefined without a create time */
export const found = (id: string, age?: number, status = ''): Found => ({
	...{ id, status, record: {} },
	created: age === undefined ? undefined : START - age,
});
export const read = (seen: Found[], more: Partial<Reading> = {}): Reading => ({
	...{ seen, end: 'list', begunAt: START, isUnsorted: false, nameless: 0, hasDuplicateIds: false },
	...more,
});
export const waitingAt = (hours: Record<string, number>, tries = 1) =>
	new Map(Object.entries(hours).map(([id, hour]) => [id, { hour, tries, searches: 0 }]));
export const idsOf = (news: ReturnType<Memory['judge']>) => news.map(({ found: { id } }) => id).join('');
export const knownIds = ({ state }: Memory) => [...state.known.keys()].sort().join('');
export const knownOf = (ids: Record<string, number>, status = '') =>
	new Map(
		Object.entries(ids).map(([id, age]) => [id, { hour: age < 0 ? 0 : Math.floor((START - age) / HOUR), status }]),
	);

/** Each test of the file begins with nothing said, at START. */
export function memoryFixture(): void {
	beforeEach(() => {
		said.length = 0;
		jest.spyOn(Date, 'now').mockReturnValue(START);
	});
	afterEach(() => jest.restoreAllMocks());
}
