import { countBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { rejectEmptyExpression } from '../../core/fields/field';
import { jsonField, toggleField, wholeNumberField } from '../../core/fields/fieldTypes';
import { InvalidInputError } from '../../core/http/errors';
import { defineComposite, defineOperation, type OperationHelpers } from '../../core/operation/defineOperation';
import { createOptionsBlock } from '../../core/operation/operationFields';
import { readEach } from '../../core/operation/readEach';
import { LARGE_PAGE_SIZE } from '../../core/pagination/readList';
import { recordResponse } from '../../core/response/recordResponse';
import { formatCount, formatList, isMasked, readId, toItemJson } from '../../core/values';
import { isActivePerson } from '../../domain/people/personStatus';
import { resourceMultiPicker, TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';
import { normalizeEmailAddress, phoneField } from '../../core/fields/contact';
import { getTargetUsersOperation } from '../../domain/people/targetUsersOperation';
import { getTargetUserOperation } from '../getTargetUserOperation';
import { ACTIONS, comparePeople, describeIdentityProvider, type ComparedPerson } from './comparePeople';
import { countActivePeople, nameCustomerInErrors, rejectUnusableList } from './listChecks';
import { MANAGER_FIELDS, readListedPeople, type ListedPerson } from './listedPeople';
import { addListHints } from './listHints';

const getCustomFieldsOperation = defineOperation({
	value: 'getCustomFields',
	name: 'Get Custom Fields',
	action: 'Get custom fields',
	description: 'List the custom fields of a customer',
	endpoint: 'GET /api/custom-fields/company',
	scope: 'company',
	response: recordResponse(),
});

const customFieldsSchema = z.array(z.object({ resourceId: z.string(), name: z.string() })).catch([]);

/**
 * Reads the IDs of the custom fields that the list names.
 * @returns the IDs by name. It is empty if the list has no custom fields.
 * @throws InvalidInputError if the customer doesn't have one of them, RequestError
 */
async function readCustomFieldIds(
	listedPeople: readonly ListedPerson[],
	helpers: OperationHelpers,
): Promise<Map<string, string>> {
	const names = new Set(listedPeople.flatMap(({ customFields }) => Object.keys(customFields)));
	if (names.size === 0) return new Map();
	const { data } = await helpers.callOperation(getCustomFieldsOperation, {});
	const customFields = customFieldsSchema.parse(data);
	const idsByName = new Map(customFields.map(({ name, resourceId }) => [name, resourceId]));
	const ids = new Set(idsByName.values());
	const unknownNames = [...names].filter((name) => !idsByName.has(name) && !ids.has(name));
	if (unknownNames.length === 0) return idsByName;
	throw new InvalidInputError(
		`has custom fields that the customer doesn't have: ${formatList(unknownNames)}`,
		['people'],
		`Nothing was compared. The customer's custom fields: ${formatList([...idsByName.keys()]) || 'none'}.`,
	);
}

/** Reads all people of the platform. @throws InvalidInputError if email addresses are masked, IncompleteListError, RequestError */
async function readPeople(helpers: OperationHelpers): Promise<IDataObject[]> {
	const options = { identity: TARGET_USER_ID_FIELDS, pageSize: LARGE_PAGE_SIZE };
	const people = await helpers.listRecordsCompletely(getTargetUsersOperation, { body: { orderBy: 'Email' } }, options);
	if (!people.some(({ email }) => isMasked(email))) return people;
	throw new InvalidInputError(
		"can't be compared, because the platform masks email addresses",
		['people'],
		'Nothing was compared. Use a credential whose role may see email addresses.',
	);
}

/** Reads the records of the people whose managers are in the list, one request each. @throws RequestError */
async function readManagerRecords(
	listedPeople: readonly ListedPerson[],
	people: readonly IDataObject[],
	helpers: OperationHelpers,
): Promise<Map<string, IDataObject>> {
	const emails = new Set(
		listedPeople
			.filter(({ details, skip }) => skip === '' && MANAGER_FIELDS.some((name) => details[name] !== undefined))
			.map(({ email }) => email),
	);
	const ids = people
		.filter((person) => describeIdentityProvider(person) === undefined)
		.filter(({ email }) => typeof email === 'string' && emails.has(normalizeEmailAddress(email)))
		.flatMap((person) => readId(person, TARGET_USER_ID_FIELDS) ?? []);
	const readRecord = async (id: string): Promise<[string, IDataObject]> => {
		const { data } = await helpers.callOperation(getTargetUserOperation, { path: { resourceId: id } });
		return [id, toItemJson(data)];
	};
	const reader = { noun: 'person', describe: (id: string) => id, read: readRecord };
	return new Map(await readEach(ids, reader, helpers.context));
}

/** How many people may be deactivated. */
interface DeactivationLimit {
	maxDeactivations?: number | undefined;
	maxDeactivationPercent?: number | undefined;
	previousCount?: number | undefined;
}

/** The limit if the user sets none. */
const DEFAULT_LIMIT = { maxDeactivations: 20, maxDeactivationPercent: 10 };

/** Reads the limit. If the user sets no limit, the default applies, so that a short list never deactivates nearly everyone. */
function readLimit(options: DeactivationLimit): DeactivationLimit {
	const { maxDeactivations, maxDeactivationPercent, previousCount } = options;
	if (maxDeactivations === undefined && maxDeactivationPercent === undefined)
		return { ...DEFAULT_LIMIT, previousCount };
	return { maxDeactivations, maxDeactivationPercent, previousCount };
}

/** Returns the number of people that may be deactivated of `count` people. A percentage always allows one. */
function getMaximum({ maxDeactivations, maxDeactivationPercent }: DeactivationLimit, count: number): number {
	const maximumByPercent =
		maxDeactivationPercent === undefined ? Infinity : Math.max(1, Math.floor((count * maxDeactivationPercent) / 100));
	return Math.min(maxDeactivations ?? Infinity, maximumByPercent);
}

const LIMIT_ADVICE =
	"Nothing is returned. Check that the list is complete. If it is, raise 'Maximum Deactivations' or 'Maximum Deactivations (%)'.";

/** Rejects a list that has far fewer active people than last time: the difference is larger than the limit. @throws InvalidInputError */
function rejectShortList(listCount: number, limit: DeactivationLimit): void {
	const { previousCount = 0 } = limit;
	const maximum = getMaximum(limit, previousCount);
	if (previousCount - listCount <= maximum) return;
	throw new InvalidInputError(
		`has ${formatCount(listCount, 'person')}, but had ${previousCount} last time, and only ${maximum} may be missing`,
		['people'],
		LIMIT_ADVICE,
	);
}

/** Rejects a comparison that would deactivate too many people. @throws InvalidInputError */
function rejectManyDeactivations(
	results: readonly ComparedPerson[],
	activeCount: number,
	limit: DeactivationLimit,
): void {
	const count = results.filter(({ action }) => action === 'deactivate').length;
	const maximum = getMaximum(limit, activeCount);
	if (count <= maximum) return;
	throw new InvalidInputError(
		`would deactivate ${count} of ${formatCount(activeCount, 'active person')}, and only ${maximum} may be deactivated`,
		['people'],
		LIMIT_ADVICE,
	);
}

/** Creates the first output item, with the number of people for each action. */
function createSummary(results: readonly ComparedPerson[], listCount: number, activeCount: number): IDataObject {
	const counts = countBy(results, 'action');
	const actionCounts = Object.fromEntries(ACTIONS.map((action) => [`${action}Count`, counts[action] ?? 0]));
	return { isSummary: true, ...actionCounts, listCount, activeCount };
}

const UNCHANGED_ACTIONS: readonly string[] = ['skipped', 'kept', 'unchanged'];

export const compareWithListOperation = defineComposite({
	value: 'compareWithList',
	name: 'Compare With List',
	action: 'Compare target users with list',
	description: 'Find out who to add, change, reactivate or deactivate to match a list',
	outputNote:
		"The node only reads. The first output item is a summary. Each further item is a person, with 'action', 'reason', the values to send in 'changes', the present values in 'before', and the row of the list in 'position'. If a row has no valid email address, or if rows with the same address differ, the output deactivates no one who is missing in the list.",
	scope: 'company',
	fields: {
		people: jsonField({
			displayName: 'People (JSON)',
			description: 'The people of your directory, as a JSON list',
			hint: "Each person needs an email. Optional fields: firstName, lastName, department, priority, phoneNumber, managerEmail, customFields and isActive. To keep a person unchanged, add skip with a reason or true. For all items of a node: {{ $('Directory').all().map((item) => item.json) }}, with 'Execute Once' turned on in the settings of this node.",
			placeholder: 'e.g. [{ "email": "ada@example.com", "firstName": "Ada" }]',
			required: true,
			convert: readListedPeople,
		}),
		targetGroups: rejectEmptyExpression(
			resourceMultiPicker('targetGroups', {
				displayName: 'Target Group Names or IDs',
				description: 'The target groups for the people to add',
			}),
		),
		...createOptionsBlock({
			clearEmpty: toggleField({
				displayName: 'Clear Empty Values',
				description: 'Whether to clear values on the platform that are empty in the list',
				default: false,
			}),
			compareManagers: toggleField({
				displayName: 'Compare Managers',
				description: 'Whether to also compare managers, which takes one request per person',
				default: false,
			}),
			includeUnchanged: toggleField({
				displayName: 'Include Unchanged People',
				description: 'Whether to also return people who need no change',
				default: false,
			}),
			ignoreMissing: toggleField({
				displayName: 'Keep People Not in List',
				description: "Whether to leave people unchanged on the platform if they aren't in the list",
				default: false,
			}),
			maxDeactivations: rejectEmptyExpression(
				wholeNumberField({
					displayName: 'Maximum Deactivations',
					description:
						'The maximum number of people to deactivate, such as 20. If you set no maximum, it is 20 people and 10 %.',
					default: DEFAULT_LIMIT.maxDeactivations,
					min: 0,
				}),
			),
			maxDeactivationPercent: rejectEmptyExpression(
				wholeNumberField({
					displayName: 'Maximum Deactivations (%)',
					description: 'The maximum share of active people to deactivate, such as 10. One person is always allowed.',
					default: DEFAULT_LIMIT.maxDeactivationPercent,
					min: 0,
					max: 100,
				}),
			),
			newPhoneNumber: phoneField({
				displayName: 'Phone Number for New People',
				description: 'The phone number to use for new people who have none in the list',
				placeholder: 'e.g. +49 30 1234567',
			}),
			previousCount: wholeNumberField({
				displayName: 'Previous List Count',
				description: "The number of active people in the list last time, from the output field 'listCount'",
				hint: 'The operation stops if more people are missing in the list than may be deactivated',
				default: 0,
				min: 0,
			}),
		}),
	},
	isReadOnly: true,
	dependencies: [getTargetUsersOperation, getTargetUserOperation, getCustomFieldsOperation],
	run: ({ people: listedPeople, targetGroups, options }, helpers) =>
		nameCustomerInErrors(helpers.context.company, async () => {
			const { clearEmpty = false, compareManagers = false, ignoreMissing = false } = options;
			const { includeUnchanged = false, newPhoneNumber = '' } = options;
			const limit = readLimit(options);
			const listCount = countActivePeople(listedPeople);
			rejectUnusableList(listedPeople, ignoreMissing);
			rejectShortList(listCount, limit);
			addListHints(listedPeople, ignoreMissing, helpers.context);
			const people = await readPeople(helpers);
			const results = comparePeople(listedPeople, people, {
				ignoreMissing,
				clearEmpty,
				newPhoneNumber,
				targetGroupIds: targetGroups,
				customFieldIds: await readCustomFieldIds(listedPeople, helpers),
				records: compareManagers ? await readManagerRecords(listedPeople, people, helpers) : new Map(),
			});
			const activeCount = people.filter(
				(person) => isActivePerson(person) !== false && describeIdentityProvider(person) === undefined,
			).length;
			rejectManyDeactivations(results, activeCount, limit);
			const shownResults = includeUnchanged
				? results
				: results.filter(({ action }) => !UNCHANGED_ACTIONS.includes(action));
			return [
				{ json: createSummary(results, listCount, activeCount) },
				...shownResults.map((result) => ({ json: { isSummary: false, ...result } })),
			];
		}),
});
