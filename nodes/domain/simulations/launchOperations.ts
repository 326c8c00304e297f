import { difference, omit, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { pages } from '../../core/response/listResponse';
import { record } from '../../core/response/recordResponse';
import { collection } from '../../core/fields/collection';
import { mustHaveValue, type FieldMap, type Values } from '../../core/fields/field';
import { parseText, text } from '../../core/fields/fieldTypes';
import { halfDone } from '../../core/run/failures';
import { defineComposite, defineOperation, type Operation, type Tools } from '../../core/operation/defineOperation';
import { multiPickerOf } from '../pickers/resourcePickers';
import { asError, rethrow, ServiceError, type ServiceErrorDetails } from '../../core/http/errors';
import { launchFields, NOW, whenBody, whenFields } from './launchFields';
import { campaignId, campaignPicker, SCENARIO_ID, scenarioPicker, titleOf, type Simulator } from './simulator';
import { ofSimulator } from '../../core/api/endpoints';
import { identityOf, listOf, toJson } from '../../core/values';
import { searchFilter } from '../../core/http/requestVariants';

/** The body for starting a campaign, and the part of that in the body for creating it. */
function startBody(
	when: IDataObject,
	groups: string[],
	{ additionalFieldsJson = {}, ...added }: Record<string, unknown>,
): IDataObject {
	const targetGroupResourceIds = groups.length > 0 ? { targetGroupResourceIds: groups } : {};
	return { ...when, ...targetGroupResourceIds, ...toJson(added), ...toJson(additionalFieldsJson) };
}

/** What goes out; QR codes go out by email. */
const mailsOf = (simulator: Simulator) => (simulator === 'smishing' ? 'text messages' : 'emails');

const NO_ID = { reason: 'the campaign was created, but the service did not return its ID' };

/** What to do with a campaign that is there, or may be, but was not started. @param start how it begins: "Start it" */
const startAdvice = (simulator: Simulator, start: string) =>
	`${start} with the operation 'Start ${titleOf(simulator)} Campaign'; running this one again would create another.`;

/** The error after which the campaign may be there nevertheless. @throws any other */
const onlyLost = async (error: unknown): Promise<ServiceError> =>
	error instanceof ServiceError && error.details.mayHaveBeenApplied ? error : await rethrow(error);

/**
 * Creates a campaign and finds its ID: in the answer, which may be a map or a page without it (deployment beyond), or else as that
 * of the only campaign of the same name that was not there before. So it is also found if the answer was lost.
 * @returns the ID, the name and what the service answered
 * @throws ServiceError with what was found, if that is not exactly one
 */
async function createCampaign(
	simulator: Simulator,
	{ create, getMany }: { create: Operation; getMany: Operation },
	body: IDataObject,
	{ ask, listComplete }: Pick<Tools, 'ask' | 'listComplete'>,
): Promise<IDataObject & { resourceId: string }> {
	const identity = campaignId(simulator);
	const search = { body: { filter: searchFilter({ searchText: parseText(body.name) }) } };
	const idsOfName = async () =>
		(await listComplete(getMany, search, { identity }))
			.filter(({ name }) => name === body.name)
			.flatMap((campaign) => identityOf(campaign, identity) ?? []);
	const before = await idsOfName();
	const outcome = await ask(create, { body }).then(({ data }) => toJson(data ?? {}), onlyLost);
	const isLost = outcome instanceof ServiceError;
	const answer = isLost || 'results' in outcome ? {} : outcome;
	const id = identityOf(answer, identity);
	if (id !== undefined) return { resourceId: id, name: body.name, ...answer };
	const details: Omit<ServiceErrorDetails, 'advice'> = isLost ? outcome.details : NO_ID;
	const unknown = (look: string) =>
		new ServiceError({
			...details,
			reason: `${details.reason}; ${look}`,
			advice: `${details.said ?? ''} ${startAdvice(simulator, 'If it is in the platform, start it')}`.trim(),
		});
	const found = await idsOfName().then(
		(after) => difference(after, before),
		async (error: unknown) => rethrow(unknown(`its campaigns could not be listed: ${asError(error).message}`)),
	);
	const [only, ...others] = found;
	if (only !== undefined && others.length === 0) return { resourceId: only, name: body.name, ...answer };
	throw unknown(only === undefined ? 'no new campaign of that name is there' : `several are new: ${listOf(found)}`);
}

/**
 * The operations that create and start campaigns (deployment beyond).
 * @param getMany the operation that lists them
 */
export function launchOperations(simulator: Simulator, getMany: Operation): Operation[] {
	const Thing = `${titleOf(simulator)} Campaign`;
	const { starting, creating } = launchFields(simulator);
	const when = whenFields(simulator);
	const label = { displayName: 'Target Group Names or IDs' };
	const additional = (fields: FieldMap) => collection({ displayName: 'Additional Fields', fields });
	const form = {
		name: text({
			displayName: 'Name',
			description: 'The name of the campaign',
			placeholder: 'e.g. Parcel notice, May',
			required: true,
		}),
		scenarios: scenarioPicker(simulator),
		targetGroups: multiPickerOf('targetGroups', { ...label, required: true }),
	};
	const bodyOf = (
		{ name, scenarios, targetGroups }: Values<typeof form>,
		sentWhen: IDataObject,
		additionalFields: Record<string, unknown>,
	) => {
		const added = pick(additionalFields, Object.keys(creating));
		return { name, [`${simulator}ScenarioResourceIds`]: scenarios, ...startBody(sentWhen, targetGroups, added) };
	};

	const getManyScenarios = defineOperation({
		value: 'getManyScenarios',
		name: `Get Many ${Thing} Scenarios`,
		description: 'List what can be simulated at one customer or at every one',
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-scenario/search'),
		scope: 'companies',
		answer: pages({
			identity: SCENARIO_ID,
			known: {
				simplified: ['name', 'method', 'difficulty', 'category', 'languageTypeName', 'createTime', ...SCENARIO_ID],
			},
		}),
	});

	const create: Operation = defineOperation({
		value: 'create',
		name: `Create ${Thing}`,
		description: 'Create a simulation without starting it; each execution creates another one',
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign'),
		scope: 'company',
		fields: { ...form, ...when, additionalFields: additional(creating) },
		request: ({ additionalFields, ...values }) => ({ body: bodyOf(values, whenBody(values), additionalFields) }),
		answer: record(),
		perform: async (_values, { request: { body = {} }, ...tools }) => [
			{ json: await createCampaign(simulator, { create, getMany }, body, tools) },
		],
	});

	const start = defineOperation({
		value: 'start',
		name: `Start ${Thing}`,
		description: 'Start a simulation, now or at a time; each execution starts it again',
		endpoint: ofSimulator(simulator, 'POST /api/SIM-simulator/SIM-campaign-job/start/{resourceId}'),
		scope: 'company',
		fields: {
			campaign: campaignPicker(simulator),
			...when,
			targetGroups: mustHaveValue(multiPickerOf('targetGroups', label)),
			additionalFields: additional(starting),
		},
		request: ({ campaign: { id }, targetGroups, additionalFields, ...values }) => ({
			path: { resourceId: id },
			body: startBody(whenBody(values), targetGroups, additionalFields),
		}),
		answer: record({ as: 'resourceId' }),
	});

	const createAndStart = defineComposite({
		value: 'createAndStart',
		name: `Create and Start ${Thing}`,
		description: `Create a simulation and start it now: ${mailsOf(simulator)} go out, each time anew`,
		scope: 'company',
		fields: { ...form, additionalFields: additional({ ...creating, ...starting }) },
		reads: false,
		uses: [getMany, create, start],
		run: async ({ additionalFields, ...values }, tools) => {
			const now = { scheduleTypeId: NOW };
			const body = bodyOf(values, now, additionalFields);
			const made = await createCampaign(simulator, { create, getMany }, body, tools);
			// Further fields, which nobody knows here, are the campaign's.
			const added = pick(additionalFields, Object.keys(omit(starting, 'additionalFieldsJson')));
			const parts = {
				path: { resourceId: made.resourceId },
				body: startBody(now, values.targetGroups, added),
			};
			await tools.ask(start, parts).catch(async (error: unknown) => {
				if (!(error instanceof ServiceError)) return await rethrow(error);
				const done = `the campaign was created with the ID '${made.resourceId}'`;
				const how = error.details.mayHaveBeenApplied ? 'If it has no job, start it' : 'Start it';
				return await rethrow(halfDone(error.details, done, startAdvice(simulator, how)));
			});
			return [{ json: { ...made, started: true } }];
		},
	});
	return [create, createAndStart, getManyScenarios, start];
}
