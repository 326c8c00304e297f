import type { Row } from '../http';
import type { Simulator } from '../personality';
import type { Campaign } from '../seed';
import { lastTime, userNumber, type Activity, type Deed, type JobPerson } from './jobs';
import { customFieldValues, person, phoneNumber } from './lists';

/** A time as it is, and in the reader's time zone. */
const local = (field: string, time: string | null): Row => ({
	[field]: time,
	[`${field}ToLocalUser`]: time === null ? null : time.slice(0, 19).replace('T', ' '),
});

/** The last action that a person did. */
function statusOf({ submitted, clicked, opened }: JobPerson['done']): string {
	if (submitted.length > 0) return 'Submitted';
	if (clicked.length > 0) return 'Clicked';
	return opened.length > 0 ? 'Opened' : 'No Response';
}

function typeOf({ opened, clicked, submitted }: JobPerson['done']): string | null {
	const all = [...opened, ...clicked, ...submitted];
	if (all.length === 0) return null;
	return all.every(({ activityType }) => activityType === 'Bot') ? 'Bot' : 'Human';
}

/** A person in a job, as the list of its people shows them. */
export function personRow(simulator: Simulator, entry: JobPerson, { scenario }: Campaign): Row {
	const { resourceId, user, sentTime, done } = entry;
	const { clicked, submitted, opened, reported, attachmentOpened, replied } = done;
	const asSeen = simulator === 'quishing' ? (field: string, time: string | null): Row => ({ [field]: time }) : local;
	const common: Row = {
		...{ resourceId, ...person(user), [`${simulator}ScenarioName`]: scenario },
		...{ ...asSeen('lastClickedTime', lastTime(clicked)), clickedCount: clicked.length },
		...{ ...asSeen('lastSubmittedTime', lastTime(submitted)), submittedCount: submitted.length },
		...{
			mfaSubmittedCount: 0,
			minPasswordComplexity: submitted.length > 0 ? 'Weak' : null,
			status: statusOf(done),
			jobResultMessage: null,
		},
		...{
			...asSeen('lastSendingTime', sentTime),
			reportedCount: reported.length,
			emailDelivery: simulator === 'smishing' ? 'SMS' : 'SMTP',
		},
		...{
			activityType: typeOf(done),
			...asSeen('mfaLastSubmittedTime', null),
			targetUserId: userNumber(entry),
			customFieldValues: customFieldValues(user),
		},
	};
	if (simulator === 'smishing') return { ...common, phoneNumber: phoneNumber(user), senderPhoneNumber: '+15550000000' };
	const seen: Row = {
		...common,
		...asSeen('lastOpenedTime', lastTime(opened)),
		openedCount: opened.length,
		...asSeen('lastReportedTime', lastTime(reported)),
		systemActivityType: typeOf(done),
	};
	if (simulator === 'quishing') return { ...seen, phoneNumber: phoneNumber(user) };
	return {
		...seen,
		...{
			phishingScenarioLanguage: 'en',
			emailTemplateLanguage: 'en',
			...local('lastAttachmentOpenedTime', lastTime(attachmentOpened)),
			attachmentOpenedCount: attachmentOpened.length,
		},
		...{ replyType: replied.length > 0 ? 'Reply' : null, ...local('replySent', lastTime(replied)) },
		...{
			isTrackingReplyContentEnabled: false,
			isTrackingReplyOutOfOfficeEnabled: false,
			preferredLanguage: user.language,
			targetGroups: 'Everybody',
		},
	};
}

/**
 * One event, such as an open or a click.
 * @param total how many events there are in all, which only one simulator's rows contain
 */
export function eventRow(simulator: Simulator, deed: Deed, activity: Activity, total: number): Row {
	const { resourceId, time, activityType, browserName, userAgent, userGeolocation, userIpAddressList } = activity;
	const where = { browserName, userAgent, userGeolocation, userIpAddressList };
	const counted: Row = simulator === 'quishing' ? { totalRowCount: total } : {};
	const when = simulator === 'quishing' ? { [`${deed}Time`]: time } : local(`${deed}Time`, time);
	if (deed === 'reported') return { ...when, ...where };
	if (deed === 'submitted')
		return {
			...counted,
			...when,
			submittedData: 'username: a****; password: P******* (8)',
			...where,
			isExcluded: false,
		};
	const sandBoxType = activityType === 'Bot' ? 1 : 0;
	return {
		...{
			...counted,
			resourceId,
			...when,
			sandBoxType,
			systemSandBoxType: sandBoxType,
			activityType,
			systemActivityType: activityType,
		},
		...{ isChangedActivity: false, ...where, isExcluded: false },
	};
}
