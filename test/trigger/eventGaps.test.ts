/**
 * Tests the Person Event Trigger when the platform sends only a part of a list of events. A poll that has read such a list
 * must not count it as completely read.
 */
import { decideOnEvents } from '../../nodes/core/trigger/decideOnEvents';
import { requireValue } from '../n8n-core/nodeFixture';
import { startStandIn } from '../stand-in';
import { EventPlatform, GAP_KINDS, type PlatformEvent } from './eventPlatform';
import { ActiveTrigger, createPersonEventTrigger, DAY, HOUR, PollingFixture } from './pollingFixture';

/** With two people on a page, the third person is on a later page. */
const PAGE_SIZE = 2;

let fixture: PollingFixture;
beforeAll(async () => {
	fixture = new PollingFixture(await startStandIn({ companyCount: 4, profile: 'deployed' }));
});
beforeEach(() => {
	fixture.clear();
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockImplementation(() => fixture.now);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => fixture.standIn.close());

function createPlatform(): EventPlatform {
	const traits = {
		parents: [null, 0, null, null],
		shouldListDescendants: true,
		leadingChildCount: null,
		selectedCompanies: undefined,
		globalLists: {},
	};
	return new EventPlatform(fixture, traits, { roundsToDays: false, hasDisplayTimes: false, maxTimelinePageSize: 2 });
}

/** Creates a trigger with a window of one day. */
const createTrigger = () =>
	new ActiveTrigger(
		createPersonEventTrigger(),
		{ companyScope: 'every', options: { readEachCompanyEvery: 0, windowDays: 1, pageSize: PAGE_SIZE } },
		fixture.standIn,
	);

function addEvent(platform: EventPlatform, owner: number, person = 0, ageMs = 0): PlatformEvent {
	const event = { owner, person, campaign: 0, actionType: 'Reported', time: fixture.now - ageMs, isListed: true };
	platform.events.push(event);
	return event;
}

/** Polls, and describes each item by its company and its time. */
async function pollEvents(trigger: ActiveTrigger): Promise<string[]> {
	const items = (await trigger.poll()) ?? [];
	return items.map((item) => `${String(item.companyResourceId)} ${String(item.ActionTime)}`).sort();
}
const describeEvent = (platform: EventPlatform, { owner, time }: PlatformEvent) =>
	`${platform.getCompanyId(owner)} ${platform.formatTime(time)}`;

test.each(GAP_KINDS)(
	'%s: events that a list lacked are emitted once it is complete, even if they have left the window',
	async (gap) => {
		const platform = createPlatform();
		const trigger = createTrigger();
		await trigger.poll();
		const events = [0, 1, 2].flatMap((person) =>
			[0, 1, 2].map((hours) => addEvent(platform, 2, person, -hours * HOUR)),
		);
		fixture.advanceTime(3 * DAY);
		platform.gaps.set(2, gap);
		const firstItems = await pollEvents(trigger);
		expect(firstItems.length).toBeLessThan(events.length);
		fixture.advanceTime(3 * DAY);
		const secondItems = await pollEvents(trigger);
		platform.gaps.clear();
		fixture.advanceTime(HOUR);
		const thirdItems = await pollEvents(trigger);
		expect([...firstItems, ...secondItems, ...thirdItems].sort()).toEqual(
			events.map((event) => describeEvent(platform, event)).sort(),
		);
	},
);

test.each(GAP_KINDS)('%s: an event that the list of the child lacks is not emitted for the parent', async (gap) => {
	const platform = createPlatform();
	const trigger = createTrigger();
	await trigger.poll();
	const events = [0, 1, 2].flatMap((person) => [0, 1, 2].map((hours) => addEvent(platform, 1, person, -hours * HOUR)));
	const parentEvent = addEvent(platform, 0);
	fixture.advanceTime(3 * HOUR);
	platform.gaps.set(1, gap);
	const firstItems = await pollEvents(trigger);
	expect(trigger.log.join()).toContain('1 company above them must wait');
	platform.gaps.clear();
	fixture.advanceTime(HOUR);
	const secondItems = await pollEvents(trigger);
	expect([...firstItems, ...secondItems].sort()).toEqual(
		[...events, parentEvent].map((event) => describeEvent(platform, event)).sort(),
	);
});

test.each(GAP_KINDS)('%s: existing events that the first poll could not read are not emitted', async (gap) => {
	const platform = createPlatform();
	for (const person of [0, 1, 2]) for (const hours of [1, 2, 3]) addEvent(platform, 2, person, hours * HOUR);
	platform.gaps.set(2, gap);
	const trigger = createTrigger();
	expect(await pollEvents(trigger)).toEqual([]);
	fixture.advanceTime(HOUR);
	const event = addEvent(platform, 2, 2);
	platform.gaps.clear();
	expect(await pollEvents(trigger)).toEqual([describeEvent(platform, event)]);
});

test('new events of a parent that the first poll could not read are emitted, although the second poll lacks some', async () => {
	const platform = createPlatform();
	// The list from before the first poll on begins with the first person, the list since then with the second one.
	for (const hours of [1, 2, 3]) addEvent(platform, 0, 0, hours * HOUR);
	platform.failingCompanies.add(0);
	platform.setFaults();
	const trigger = createTrigger();
	await trigger.poll();
	platform.failingCompanies.clear();
	platform.setFaults();
	fixture.advanceTime(HOUR);
	const events = [addEvent(platform, 0, 0), addEvent(platform, 0, 1), addEvent(platform, 0, 1, 1)];
	platform.gaps.set(0, 'cut people');
	const firstItems = await pollEvents(trigger);
	platform.gaps.clear();
	fixture.advanceTime(HOUR);
	const secondItems = await pollEvents(trigger);
	expect([...firstItems, ...secondItems].sort()).toEqual(events.map((event) => describeEvent(platform, event)).sort());
});

test('events of a new customer from before the first poll are not emitted', async () => {
	const platform = createPlatform();
	const { world } = fixture.standIn;
	const company = requireValue(world.companies[3]);
	world.removeCompany(company);
	const trigger = createTrigger();
	addEvent(platform, 3, 0, HOUR);
	await trigger.poll();
	world.addCompany(company, undefined);
	fixture.advanceTime(HOUR);
	const event = addEvent(platform, 3, 1);
	expect(await pollEvents(trigger)).toEqual([describeEvent(platform, event)]);
});

test('an event that is listed twice counts once if the list changed while it was read', () => {
	const listedEvent = { event: { name: 'Quiz' }, hash: 'quiz' };
	const decide = (isComplete: boolean) =>
		decideOnEvents({
			events: [listedEvent, listedEvent],
			isComplete,
			rememberedEvents: new Map(),
			descendantLists: [],
			possiblyNewHashes: undefined,
		});
	expect(decide(true).newEvents).toEqual([listedEvent, listedEvent]);
	expect(decide(false).newEvents).toEqual([listedEvent]);
});
