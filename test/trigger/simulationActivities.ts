/** Creates campaigns of the stand-in and the activities of their people, for tests of the Person Event Trigger. */
import type { Simulator } from '../stand-in/profile';
import { getJobPeople, type JobPerson, type UserAction } from '../stand-in/routes/campaign-people';
import { DAY, type PollingFixture } from './pollingFixture';

/** Sends a campaign to all people of a company. Nobody has done anything yet. */
export function sendCampaign(
	fixture: PollingFixture,
	companyIndex: number,
	{
		simulator = 'phishing',
		ageMs = 0,
		isTest = false,
	}: { simulator?: Simulator; ageMs?: number; isTest?: boolean } = {},
): JobPerson[] {
	const companyData = fixture.standIn.world.getCompanyData(fixture.getCompany(companyIndex).id);
	// The stand-in starts the job one day after the campaign was created.
	const campaignId = fixture.createRecord(simulator, companyIndex, DAY + ageMs);
	const campaign = companyData.getCampaigns(simulator).find(({ resourceId }) => resourceId === campaignId);
	if (!campaign) throw new Error('There is no campaign');
	campaign.userResourceIds = companyData.users.map(({ resourceId }) => resourceId);
	campaign.excludeFromReports = isTest;
	const people = getJobPeople(fixture.standIn.world, campaign, 1);
	for (const person of people)
		person.activities = { opened: [], clicked: [], submitted: [], reported: [], attachmentOpened: [], replied: [] };
	return people;
}

export function getPerson(people: JobPerson[], index: number): JobPerson {
	const person = people[index];
	if (!person) throw new Error('There is no such person');
	return person;
}

/** Adds an activity of a person, by default one of now. */
export function addActivity(
	fixture: PollingFixture,
	people: JobPerson[],
	index: number,
	action: UserAction,
	{ isBot = false, ageMs = 0 }: { isBot?: boolean; ageMs?: number } = {},
): void {
	const person = getPerson(people, index);
	const activity = {
		resourceId: `${action} ${fixture.now}`,
		time: new Date(fixture.now - ageMs).toISOString(),
		isBot,
		browserName: '',
		userAgent: '',
		userGeolocation: '',
		userIpAddressList: '',
	};
	person.activities = { ...person.activities, [action]: [...person.activities[action], activity] };
}
