import type { Row } from '../http';
import { shortId } from '../random';
import { sentTime } from '../routes/campaigns';
import type { Campaign } from '../seed';
import type { Deed, JobPerson } from './jobs';

const DAY = 86_400_000;

const template = (name: string): Row => ({
	...{
		resourceId: shortId(`mail ${name}`),
		name,
		categoryResourceId: shortId('category'),
		difficultyResourceId: shortId('difficulty'),
	},
	...{
		fromName: 'Service Desk',
		fromAddress: 'desk@parcels.example',
		languageShortCode: 'en',
		phishingFileName: null,
		phishingFileType: null,
		phishingFileUrl: null,
	},
	...{ subject: name, template: `<p>${name}</p>` },
});

const landingPage = (name: string): Row => ({
	...{
		resourceId: shortId(`page ${name}`),
		name,
		methodTypeId: 1,
		difficultyTypeId: 1,
		urlTemplate: 'https://parcels.example/{id}',
		languageShortCode: 'en',
	},
});

const trainingInfo = (companyName: string | null): Row => ({
	...{ trainingId: null, trainingDescription: null, name: null, categoryName: null, companyName },
	languageList: [{ languageId: shortId('language en'), languageShortCode: 'en' }],
});

/** The report of one run of a campaign. */
export function jobSummary(campaign: Campaign, instanceGroup: number, people: readonly JobPerson[]): Row {
	const { resourceId, name, scenario, companyName, excludeFromReports } = campaign;
	const sent = sentTime(campaign, instanceGroup);
	const end = new Date(Date.parse(sent) + 14 * DAY).toISOString();
	const count = (deed: Deed) => people.filter(({ done }) => done[deed].length > 0).length;
	const enrollmentInfo = { enrollmentId: null };
	return {
		...{ phishingCampaignResourceId: resourceId, phishingCampaignName: name },
		campaignInfo: {
			...{
				startDate: sent,
				endDate: end,
				scheduledDate: sent,
				totalTargetUserCount: people.length,
				emailDeliveredUserCount: people.length,
			},
			...{
				emailNotDeliveredUserCount: 0,
				emailDeliveryStartDate: sent,
				emailDeliveryEndDate: sent,
				frequency: 1,
				emailDeliveryDuration: '1 minute',
			},
			...{ scheduleTypeId: 1, categoryDistributionType: 'None', trackingReplyInfo: null, sendUserPreferredLanguage: 0 },
		},
		settings: { excludeFromReports, duration: 14, smtpName: 'Default', directEmailSettingName: null },
		targetUsers: { randomlyUsersCount: 0, targetGroupsCount: 1, sendRandomlyUsers: false, sendOnlyActiveUsers: true },
		scenarioStats: {
			...{
				openedEmail: count('opened'),
				clickedEmail: count('clicked'),
				submittedEmail: count('submitted'),
				attachmentOpenedEmail: count('attachmentOpened'),
			},
			...{
				reportedEmail: count('reported'),
				noResponseEmail: people.filter(({ done }) => Object.values(done).every((list) => list.length === 0)).length,
			},
			...{ notDelivered: 0, failedToSend: 0, mfa: 0 },
		},
		scenarios: [
			{
				scenarioInfo: {
					name: scenario,
					category: 'Delivery',
					methodTypeId: 1,
					difficultyTypeId: 1,
					languageShortCode: 'en',
				},
				...{
					trainingInfo: trainingInfo(companyName),
					enrollmentInfo,
					emailTemplateInfo: template(scenario),
					emailTemplateInfos: [template(scenario)],
				},
				landingPageTemplateInfo: landingPage(scenario),
			},
		],
		scenariosGeneralInfo: {
			categories: ['Delivery'],
			methodTypeId: 1,
			difficultyTypeIds: [1],
			languageShortCodes: ['en'],
		},
		...{
			landingPageTemplateInfo: landingPage(scenario),
			trainingInfoForCategory: trainingInfo(companyName),
			enrollmentInfoForCategory: enrollmentInfo,
		},
		...{ smartGroupInfo: { resourceId: null, name: null }, campaignDurationExpired: false },
	};
}
