import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/paging';
import type { Produced } from '../answer/answer';
import { changedIn, type Field } from '../form/field';
import { optional } from '../form/optional';
import { searchFilter } from '../form/search';
import { enteredIn, isRecord } from '../form/value';
import type { PerformTools } from '../operation/define';
import type { Operation } from '../operation/operation';
import { FITTING } from '../operation/output';
import { contains, type Listing } from '../pickers/listing';
import { idByAnother } from '../pickers/otherId';
import { picker, searchPicker, type Picked } from '../pickers/picker';
import { firstAccepted, isRefusal } from '../transport/firstAccepted';
import { rethrow, ServiceError } from '../transport/errors';
import { parseId, type ContractKey } from '../transport/request';
import { capitalized, parseJob, titleOf, type Job, type Simulator } from './simulator';

/** What a person can do with a simulated message, in order: each action includes the ones before it. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** The row of the contract that lists the people of a job by what they did (contract 4.9). */
export const peopleContract = (simulator: Simulator) =>
	`POST /api/${simulator}-simulator/${simulator}-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}` as const;

/** The fields by which a person's row can be found again, where one of them is given instead of the ID. */
const ALSO_PERSON = ['targetUserId', 'userId', 'email'] as const;

/**
 * The fields that may have the ID of a person of a job; the row's own ID comes first, because it leads to the person's
 * events.
 */
export const PERSON_ID = ['resourceId', 'targetUserResourceId', 'id'] as const;

/** The search type of all people that a job was sent to (deployment behaviour, "Campaign reports"). */
export const ALL_PEOPLE = 'All';

const isPositive = (value: unknown) => Number(value) > 0;
const isTime = (value: unknown) => typeof value === 'string' && value !== '';

/** A deployment's own flag for an action (deployment shapes): isOpened. */
export const flagOf = (action: UserAction) => `is${capitalized(action)}`;

/**
 * Whether a row of a job's people shows that the person did something, by a count, a time or a flag: deployments send
 * different ones (deployment shapes).
 * @returns undefined if the row has none of them
 */
export function hasDone(row: IDataObject, action: UserAction): boolean | undefined {
	const Action = capitalized(action);
	const indicators: Array<[name: string, means: (value: unknown) => boolean]> = [
		[`${action}Count`, isPositive],
		[`last${Action}Time`, isTime],
		[`${action}Time`, isTime],
		[flagOf(action), (value) => value === true],
		[action, (value) => value === true],
	];
	const given = indicators.filter(([name]) => name in row);
	return given.length === 0 ? undefined : given.some(([name, means]) => means(row[name]));
}

/**
 * Whether a row belongs in the list of people who did something. A service that does not know the search type may list
 * all people, so a row that shows no such action is left out. A click counts as an opening too.
 */
export function belongsTo(row: IDataObject, action: UserAction): boolean {
	if (hasDone(row, action) === undefined) return true;
	return USER_ACTIONS.slice(USER_ACTIONS.indexOf(action)).some((each) => hasDone(row, each) === true);
}

/** Whether a row is of the job's instance group, or does not name one: some lists are of the whole campaign. */
export const isOfGroup = (row: IDataObject, { instanceGroup }: Job) =>
	String(identityOf(row, ['instanceGroup']) ?? instanceGroup) === instanceGroup;

/** The field that chooses one person of the chosen job; empty means all people. */
export function personPicker(simulator: Simulator): Field<Picked | undefined> {
	const listing: Listing = {
		contract: peopleContract(simulator),
		path: ({ text }) => ({ ...parseJob(text('job', 'Campaign Job')), searchType: ALL_PEOPLE }),
		id: PERSON_ID,
		name: ['email', 'phoneNumber', 'firstName'],
		orderBy: 'Email',
		scoped: true,
	};
	return optional(
		searchPicker({
			displayName: 'Person',
			description: 'Only this person, an item per event. Empty means everybody, an item per person.',
			required: false,
			method: `search${titleOf(simulator)}People`,
			thing: 'person',
			listing,
		}),
	);
}

/** The platform's search types; 'Submitted' is an addition of this package, found among all people. */
const SEARCH_TYPES: ReadonlyArray<{ id: string; name: string }> = [
	{ id: ALL_PEOPLE, name: 'All People' },
	{ id: 'AttachmentOpened', name: 'Attachment Opened' },
	{ id: 'Clicked', name: 'Clicked' },
	{ id: 'NoResponse', name: 'No Response' },
	{ id: 'Opened', name: 'Opened' },
	{ id: 'Replied', name: 'Replied' },
	{ id: 'Reported', name: 'Reported' },
	{ id: 'Submitted', name: 'Submitted' },
];

/** The known search type that a typed word means, whatever its case. @returns undefined if there is none */
const knownSearchType = (typed: string) => SEARCH_TYPES.find(({ id }) => id.toLowerCase() === typed.toLowerCase())?.id;

export interface SearchType {
	word: string;
	/** Whether a person typed it; then it is tried first as it is. */
	isTyped: boolean;
}

/** The field that chooses what the people of a job did, or takes a platform's own word. It is filled in since version 1.1. */
export const searchTypePicker = (): Field<SearchType> =>
	changedIn(1.1, searchTypeField({}), searchTypeField({ default: ALL_PEOPLE, defaultName: 'All People' }));

function searchTypeField(preset: { default?: string; defaultName?: string }): Field<SearchType> {
	const field = picker({
		displayName: 'Search Type',
		description: "What the people did. Enter another word By Name if your platform's documentation names one.",
		method: 'searchSearchTypes',
		thing: 'search type',
		typed: 'By Name',
		example: 'Reported',
		...preset,
		search: async (_filled, searchText) => ({
			entries: SEARCH_TYPES.filter(contains(searchText)),
			isLast: true,
		}),
	});
	return {
		...field,
		parse: (raw) => ({
			word: parseId(enteredIn(raw)),
			isTyped: !(isRecord(raw) && raw.mode === 'list'),
		}),
	};
}

/**
 * Reads the lists of a job's people, at the address and with the search type that the deployment accepts. All methods
 * throw ServiceError.
 */
export class JobUsers {
	constructor(
		private readonly simulator: Simulator,
		private readonly job: Job,
		private readonly tools: PerformTools,
		/** The operation that lists the people of a job. */
		private readonly people: Operation,
	) {}

	/** The people that the platform lists for a search type. */
	async listBy(word: string, keep?: (row: IDataObject) => boolean): Promise<Produced[]> {
		const path = { ...this.job, searchType: word };
		const isKept = (row: IDataObject) => isOfGroup(row, this.job) && (keep?.(row) ?? true);
		return await this.tools.send(
			{ contract: peopleContract(this.simulator), path, fallbackContracts: [] },
			this.isFitting ? { keep: isKept } : keep ? { keep } : {},
		);
	}

	/** The people of a search type: as typed first, then in the platform's spelling. */
	async listOfType({ word, isTyped }: SearchType): Promise<Produced[]> {
		const listed = knownSearchType(word);
		const known = async () => (listed === 'Submitted' ? await this.submitters() : await this.listBy(listed ?? word));
		if (!isTyped || listed === undefined) return await known();
		return await (word === listed && listed !== 'Submitted'
			? known()
			: firstAccepted(async () => await this.listBy(word), known));
	}

	/** The people who did something, one row each. */
	async listWhoDid(action: UserAction): Promise<Produced[]> {
		return await firstAccepted(
			async () =>
				action === 'submitted'
					? await this.submitters()
					: await this.listBy(capitalized(action), (row) => belongsTo(row, action)),
			async () => await this.listOfCampaign(action),
		);
	}

	/**
	 * The events of one person; where a deployment lists people instead of events, that person's rows. A person who is given
	 * by another field than the ID of the row is looked for among the people of the job.
	 */
	async eventsOf(person: Picked, action: UserAction): Promise<Produced[]> {
		return await this.eventsOfRow(person.id, action).catch(async (error: unknown) => {
			const id = isRefusal(error) ? await this.rowIdOf(person) : undefined;
			if (id !== undefined) return await this.eventsOfRow(id, action);
			const hasNoOpens = this.simulator === 'smishing' && action === 'opened' && isRefusal(error);
			return await rethrow(hasNoOpens ? explainNoOpens(error) : error);
		});
	}

	private async eventsOfRow(id: string, action: UserAction): Promise<Produced[]> {
		return await firstAccepted(
			async () =>
				await this.tools.send({ ...this.eventContracts(action), path: { resourceId: id } }, { mayBeAlone: true }),
			async () => await this.listOfCampaign(action, (row) => PERSON_ID.some((name) => identityOf(row, [name]) === id)),
		);
	}

	/** The ID of a person's row, for another field of it. @returns undefined if there is none, or the list is refused */
	private async rowIdOf({ id }: Picked): Promise<string | undefined> {
		const path = { ...this.job, searchType: ALL_PEOPLE };
		const body = { orderBy: 'Email', ascending: true, filter: searchFilter() };
		const rows = await this.tools
			.list(this.people, { path, body }, { identity: [] })
			.catch((error: unknown) => (isRefusal(error) ? [] : rethrow(error)));
		return idByAnother(rows, id, { ids: PERSON_ID, others: ALSO_PERSON });
	}

	/**
	 * The people who submitted. The platform has no such list (deployment behaviour), so they are found among all people.
	 */
	private async submitters(): Promise<Produced[]> {
		let isKnown = true;
		const found = await this.listBy(ALL_PEOPLE, (row) => {
			const done = hasDone(row, 'submitted');
			isKnown &&= done !== undefined;
			return done === true;
		});
		return isKnown ? found : await this.listOfCampaign('submitted');
	}

	/** The list as in contract 4.9: of the whole campaign, so rows of another instance group are left out. */
	private async listOfCampaign(
		action: UserAction,
		keep: (row: IDataObject) => boolean = () => true,
	): Promise<Produced[]> {
		const { resourceId } = this.job;
		let isGroupKnown = true;
		const found = await this.tools.send(
			{ ...this.eventContracts(action), path: { resourceId } },
			{
				keep: (row) => {
					const isKept = isOfGroup(row, this.job) && keep(row);
					if (isKept) isGroupKnown &&= 'instanceGroup' in row;
					return isKept;
				},
			},
		);
		if (!isGroupKnown) this.tools.session.hint(UNKNOWN_GROUP);
		return found;
	}

	private get isFitting(): boolean {
		return this.tools.session.version >= FITTING;
	}

	private eventContracts(action: UserAction) {
		return {
			contract: eventContract(this.simulator, action),
			fallbackContracts: eventFallbacks(this.simulator, action),
		};
	}
}

const UNKNOWN_GROUP =
	'The platform lists these people for the whole campaign and does not say in which job they did it, so people of its other jobs may be among them.';

/**
 * Live deployments have no list of opened text messages (deployment shapes), and answer as if they did not know the
 * person.
 */
const explainNoOpens = ({ details }: ServiceError) =>
	new ServiceError({
		...details,
		reason: `the platform does not list when a person opened a text message, or does not know this person${details.status === undefined ? '' : ` (${details.status})`}`,
	});

/** The row of the contract for an action (contract 4.9): it lists events, or the people. */
export const eventContract = (simulator: Simulator, action: UserAction) =>
	`POST /api/${simulator}-simulator/${simulator}-campaign-job-report/search-email-${action}/{resourceId}` as const;

/** The other path of the same operation on some deployments: for smishing with "sms" (deployment facts). */
export const eventFallbacks = (simulator: Simulator, action: UserAction): readonly ContractKey[] =>
	simulator === 'smishing' && action !== 'opened'
		? [`POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-${action}/{resourceId}`]
		: [];
