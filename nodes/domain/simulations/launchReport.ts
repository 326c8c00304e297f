import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../core/response/responseHandler';
import { readPage } from '../../core/pagination/readList';
import { filterRecords, isScalar, readId } from '../../core/values';
import { describeFailedPeopleCount, describeUnknownPeopleCount, describeWrite, readIfPossible } from '../writeReport';
import { SCHEDULE_TYPE_NOW } from './launchFields';

/** The explanation of the output field `peopleCount` that `readLaunchDetails` adds. */
export const PEOPLE_COUNT_NOTE =
	'In the output, peopleCount is the number of people in the target group. This field is empty if the campaign goes to several groups or only to some people.';

/**
 * Builds the output fields that say when a campaign was started, or when it will be.
 * @param startBody the body of the request that started it
 * @param timezone the workflow's time zone, for a campaign that was started at once
 */
export function describeLaunch(startBody: IDataObject, timezone: string) {
	const isStartedNow = Number(startBody.scheduleTypeId) === SCHEDULE_TYPE_NOW;
	if (isStartedNow) return describeWrite('started', timezone);
	const startDate = readId(startBody, ['scheduledDate']);
	return describeWrite('scheduled', readId(startBody, ['scheduledDateTimeZoneId']) ?? timezone, startDate);
}

/**
 * Builds the output fields that say to how many target groups and people a campaign was sent. If the number of people is unknown, a hint says
 * why.
 * @param campaignFields the fields of the campaign's record, or of the requests that created and started it
 * @throws RequestError only if the run was stopped
 */
export async function readLaunchDetails(
	campaignFields: IDataObject,
	context: OperationContext,
): Promise<{ targetGroupCount: number | null; peopleCount: number | null }> {
	const groupIds = readGroupIds(campaignFields);
	const [groupId] = groupIds;
	const unknownReason = explainUnknownCount(groupIds, campaignFields);
	if (unknownReason !== undefined) context.addHint(describeUnknownPeopleCount(unknownReason));
	const canCount = groupId !== undefined && unknownReason === undefined;
	return {
		targetGroupCount: groupIds.length > 0 ? groupIds.length : null,
		peopleCount: canCount ? await countGroupMembers(groupId, context) : null,
	};
}

/** Says why the number of people who get the campaign is unknown. @returns undefined if everyone in the only target group gets it */
function explainUnknownCount(groupIds: string[], campaignFields: IDataObject): string | undefined {
	if (groupIds.length === 0) return 'the platform does not show which target groups the campaign has';
	if (groupIds.length > 1) return 'a person can be in several of the target groups';
	const isSentToSome = campaignFields.sendOnlyActiveUsers === true || campaignFields.sendRandomlyUsers === true;
	return isSentToSome ? 'only some people in the target group get the campaign' : undefined;
}

/** Reads the IDs of a campaign's target groups from a request body or, if there are none, from the record (deployment beyond, "Campaigns"). */
function readGroupIds({ targetGroupResourceIds, targetGroups }: IDataObject): string[] {
	if (Array.isArray(targetGroupResourceIds)) return targetGroupResourceIds.filter(isScalar).map(String);
	return filterRecords(targetGroups).flatMap((group) => readId(group, ['value']) ?? []);
}

/**
 * Reads how many people are in a target group (deployment beyond, "Target groups"). Only the count of the list is used, so the page may be small.
 * @returns null if the platform doesn't return the count; a hint then says why
 * @throws RequestError only if the run was stopped
 */
async function countGroupMembers(
	groupId: string,
	{ client, company, signal, addHint }: OperationContext,
): Promise<number | null> {
	const request = {
		endpoint: 'POST /api/target-groups/{resourceId}/users' as const,
		purpose: 'count the people in the target group',
		path: { resourceId: groupId },
		company,
		signal,
	};
	const page = await readIfPossible(
		() => readPage(client, request, { pageNumber: 1, pageSize: 1 }),
		(reason) => addHint(describeFailedPeopleCount(reason)),
	);
	if (page && page.totalCount === undefined)
		addHint(describeUnknownPeopleCount('the platform does not return how many people are in the target group'));
	return page?.totalCount ?? null;
}
