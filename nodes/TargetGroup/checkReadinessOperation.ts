import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { cleanPhoneNumber, isPhoneNumber } from '../core/fields/contact';
import { toggleField } from '../core/fields/fieldTypes';
import type { ApiRequest } from '../core/http/request';
import { defineComposite } from '../core/operation/defineOperation';
import { createOptionsBlock } from '../core/operation/operationFields';
import { readEach } from '../core/operation/readEach';
import { describeGap } from '../core/pagination/listResult';
import { readAgainIfIncomplete } from '../core/pagination/readCompleteList';
import { LARGE_PAGE_SIZE, readList } from '../core/pagination/readList';
import type { OperationContext } from '../core/response/responseHandler';
import { isEmpty, isMasked, readId } from '../core/values';
import { resourceMultiPicker, TARGET_GROUP_ID_FIELDS, TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
import {
	getTargetGroupMembersOperation,
	getTargetGroupsOperation,
} from '../domain/targetGroups/sharedTargetGroupOperations';
import { getEmailDomain, getVerifiedDomainsOperation, readVerifiedDomains } from '../domain/people/verifiedDomains';

const UNKNOWN_DOMAINS_HINT =
	"The field 'withoutVerifiedDomain' is empty, because the platform has no list of verified domains or the credential may not read it.";
const MASKED_EMAILS_HINT =
	"The field 'withoutVerifiedDomain' is empty for some target groups, because the platform masks their email addresses.";
const INCOMPLETE_MEMBERS_HINT =
	'All figures of some target groups are empty, because the list of their members is incomplete. Run the node again, or use a credential that may see all people.';

/** The people whom each figure of the output counts. A value is null if the platform doesn't show what the figure needs. */
type PeopleByFigure = Record<
	'withoutVerifiedDomain' | 'withoutPhoneNumber' | 'withoutPreferredLanguage',
	IDataObject[] | null
>;

const UNKNOWN_PEOPLE: PeopleByFigure = {
	withoutVerifiedDomain: null,
	withoutPhoneNumber: null,
	withoutPreferredLanguage: null,
};

/**
 * Reads all members of a target group.
 * @returns the members, or the reason why the list may be incomplete, as the end of a sentence
 * @throws RequestError
 */
async function readMembers(
	resourceId: string,
	{ client, company, signal }: OperationContext,
): Promise<{ people: IDataObject[] } | { gap: string }> {
	const request: ApiRequest = {
		endpoint: 'POST /api/target-groups/{resourceId}/users',
		path: { resourceId },
		purpose: 'check target group readiness',
		company,
		signal,
	};
	const options = { identity: TARGET_USER_ID_FIELDS, pageSize: LARGE_PAGE_SIZE };
	const list = await readAgainIfIncomplete(() => readList(client, request, options));
	const gap = describeGap(list);
	return gap === undefined ? { people: list.records } : { gap };
}

/** Returns true if the platform shows a field of people: at least one person has the field, even if it is empty. */
const isShown = (people: IDataObject[], fieldName: string): boolean =>
	people.length === 0 || people.some((person) => fieldName in person);

/** Finds the people who have no value in a field. @returns null if the platform doesn't show the field */
function findWithoutValue(people: IDataObject[], fieldName: string): IDataObject[] | null {
	return isShown(people, fieldName) ? people.filter((person) => isEmpty(person[fieldName])) : null;
}

/** Finds the people who have no phone number. A value that can't be one, such as #N/A, doesn't count. @returns null if none is shown */
function findWithoutPhoneNumber(people: IDataObject[]): IDataObject[] | null {
	const isMaskedPhone = ({ phoneNumber }: IDataObject) => typeof phoneNumber === 'string' && phoneNumber.includes('**');
	if (!isShown(people, 'phoneNumber') || people.some(isMaskedPhone)) return null;
	return people.filter((person) => !isPhoneNumber(cleanPhoneNumber(readId(person, ['phoneNumber']) ?? '')));
}

/**
 * Finds the people whose email address isn't on a verified domain. A domain covers only itself, because no document says that it covers
 * its subdomains.
 * @returns null if the platform masks or doesn't show email addresses
 */
function findWithoutVerifiedDomain(people: IDataObject[], verifiedDomains: ReadonlySet<string>): IDataObject[] | null {
	if (!isShown(people, 'email') || people.some(({ email }) => isMasked(email))) return null;
	return people.filter((person) => !verifiedDomains.has(getEmailDomain(readId(person, ['email']) ?? '')));
}

/** Builds the output of one group. @param people null if the list of members is incomplete */
function buildGroupResult(people: IDataObject[] | null, peopleByFigure: PeopleByFigure, includePeople: boolean) {
	const result: IDataObject = { people: people?.length ?? null };
	const entries = Object.entries(peopleByFigure);
	for (const [figure, affectedPeople] of entries) result[figure] = affectedPeople?.length ?? null;
	if (!includePeople) return result;
	for (const [figure, affectedPeople] of entries)
		result[`people${upperFirst(figure)}`] = affectedPeople?.map(({ email }) => email ?? null) ?? null;
	return result;
}

const optionFields = createOptionsBlock({
	includePeople: toggleField({
		displayName: 'Include People',
		description: 'Whether to add lists of the affected email addresses to the output',
		default: false,
	}),
});

export const checkTargetGroupReadinessOperation = defineComposite({
	value: 'checkReadiness',
	name: 'Check Readiness',
	action: 'Check target group readiness',
	description: 'Count the people in target groups who lack a verified domain, a phone number or a preferred language',
	outputNote:
		"Each output item is one target group. A figure is empty if the platform doesn't show what it needs. A verified domain covers only itself, not its subdomains.",
	scope: 'company',
	fields: {
		targetGroups: resourceMultiPicker('targetGroups', {
			displayName: 'Target Group Names or IDs',
			description: 'The target groups to check',
			required: true,
		}),
		...optionFields,
	},
	isReadOnly: true,
	dependencies: [getTargetGroupsOperation, getTargetGroupMembersOperation, getVerifiedDomainsOperation],
	run: async ({ targetGroups, options: { includePeople = false } }, helpers) => {
		const { context } = helpers;
		const groups = await helpers.listRecords(getTargetGroupsOperation, {}, { identity: TARGET_GROUP_ID_FIELDS });
		const namesById = new Map(groups.map((group) => [readId(group, TARGET_GROUP_ID_FIELDS), readId(group, ['name'])]));
		const verifiedDomains = await readVerifiedDomains(helpers);
		if (!verifiedDomains) context.addHint(UNKNOWN_DOMAINS_HINT);

		function findAffectedPeople(people: IDataObject[], groupLabel: string): PeopleByFigure {
			const withoutVerifiedDomain = verifiedDomains && findWithoutVerifiedDomain(people, verifiedDomains);
			if (verifiedDomains && !withoutVerifiedDomain) context.addHint(MASKED_EMAILS_HINT, groupLabel);
			const withoutPhoneNumber = findWithoutPhoneNumber(people);
			const withoutPreferredLanguage = findWithoutValue(people, 'preferredLanguage');
			if (!withoutPhoneNumber) context.addHint(buildHiddenFieldHint('withoutPhoneNumber', 'phone numbers'));
			if (!withoutPreferredLanguage)
				context.addHint(buildHiddenFieldHint('withoutPreferredLanguage', 'preferred languages'));
			return { withoutVerifiedDomain, withoutPhoneNumber, withoutPreferredLanguage };
		}

		async function checkGroup(resourceId: string): Promise<IDataObject> {
			const name = namesById.get(resourceId) ?? null;
			const members = await readMembers(resourceId, context);
			if ('gap' in members) {
				context.addHint(INCOMPLETE_MEMBERS_HINT, `${name ?? resourceId}: ${members.gap}`);
				return { name, ...buildGroupResult(null, UNKNOWN_PEOPLE, includePeople), resourceId };
			}
			const { people } = members;
			const peopleByFigure = findAffectedPeople(people, name ?? resourceId);
			return { name, ...buildGroupResult(people, peopleByFigure, includePeople), resourceId };
		}

		const describeGroup = (resourceId: string) => `${namesById.get(resourceId) ?? 'No name'} (${resourceId})`;
		const groupReader = { noun: 'target group', describe: describeGroup, read: checkGroup };
		const results = await readEach(targetGroups, groupReader, context);
		return results.map((json) => ({ json }));
	},
});

/** Builds the hint for a figure whose record field the platform doesn't show. */
const buildHiddenFieldHint = (figure: keyof PeopleByFigure, valueName: string): string =>
	`The field '${figure}' is empty, because the platform doesn't show ${valueName} in the list of members.`;
