import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/paging';
import type { Produced } from '../answer/answer';
import type { Field } from '../form/field';
import { optional } from '../form/optional';
import { isRecord } from '../form/value';
import type { PerformTools } from '../operation/define';
import type { Listing } from '../pickers/listing';
import { picker, searchPicker, type Picked } from '../pickers/picker';
import { firstAccepted, isRefusal } from '../transport/firstAccepted';
import { ServiceError } from '../transport/errors';
import { parseId, type ContractKey } from '../transport/request';
import { capitalized, parseJob, titleOf, type Job, type Simulator } from './simulator';

/** What a person can do with a simulated message, the lightest first: whoever submits has clicked. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** The row of the contract that lists the people of a job by what they did (contract 4.9). */
export const peopleContract = (simulator: Simulator) =>
	`POST /api/${simulator}-simulator/${simulator}-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}` as const;

/** The names under which a person of a job was seen: the row's own ID comes first, as it leads to the person's events. */
export const PERSON_ID = ['resourceId', 'targetUserResourceId', 'id'] as const;

/** Everybody that a job was sent to (deployment behaviour, campaign reports). */
export const EVERYBODY = 'All';

const isPositive = (value: unknown) => Number(value) > 0;
const isTime = (value: unknown) => typeof value === 'string' && value !== '';

/**
 * Whether a row of a job's people says that the person did something: by a count, a time or a flag, whichever a
 * deployment sends (deployment shapes).
 * @returns undefined where the row does not say
 */
export function hasDone(row: IDataObject, deed: UserAction): boolean | undefined {
	const Deed = capitalized(deed);
	const signs: Array<[name: string, means: (value: unknown) => boolean]> = [
		[`${deed}Count`, isPositive],
		[`last${Deed}Time`, isTime],
		[`${deed}Time`, isTime],
		[`is${Deed}`, (value) => value === true],
		[deed, (value) => value === true],
	];
	const given = signs.filter(([name]) => name in row);
	return given.length === 0 ? undefined : given.some(([name, means]) => means(row[name]));
}

/**
 * Whether a row belongs into the list of those who did something. A service that does not know the list's name may list
 * everybody: a row that says that the person did nothing is left out. Who clicked counts as one who opened.
 */
export function belongsTo(row: IDataObject, deed: UserAction): boolean {
	if (hasDone(row, deed) === undefined) return true;
	return USER_ACTIONS.slice(USER_ACTIONS.indexOf(deed)).some((each) => hasDone(row, each) === true);
}

/** A row that names its instance group must be of the chosen one: some lists are of the whole campaign. */
export const isOfGroup = (row: IDataObject, { instanceGroup }: Job) =>
	String(identityOf(row, ['instanceGroup']) ?? instanceGroup) === instanceGroup;

/** Chooses one person of the chosen job; none means all of them. */
export function personPicker(simulator: Simulator): Field<Picked | undefined> {
	const listing: Listing = {
		contract: peopleContract(simulator),
		path: ({ text }) => ({ ...parseJob(text('job', 'Campaign Job')), searchType: EVERYBODY }),
		id: PERSON_ID,
		name: ['email', 'phoneNumber', 'firstName'],
		orderBy: 'Email',
		scoped: true,
	};
	return optional(
		searchPicker({
			displayName: 'Person',
			description:
				'Only this person: the single events with time, browser and address. Empty means everybody who did it, a row per person.',
			required: false,
			method: `search${titleOf(simulator)}People`,
			thing: 'person',
			listing,
		}),
	);
}

/** How the platform calls the people of a job by what they did; 'Submitted' is ours, made of all of them. */
const SEARCH_TYPES: ReadonlyArray<{ id: string; name: string }> = [
	{ id: EVERYBODY, name: 'All People' },
	{ id: 'AttachmentOpened', name: 'Attachment Opened' },
	{ id: 'Clicked', name: 'Clicked' },
	{ id: 'NoResponse', name: 'No Response' },
	{ id: 'Opened', name: 'Opened' },
	{ id: 'Replied', name: 'Replied' },
	{ id: 'Reported', name: 'Reported' },
	{ id: 'Submitted', name: 'Submitted' },
];

/** The listed word that a typed one means, if there is one. */
const listedWord = (typed: string) => SEARCH_TYPES.find(({ id }) => id.toLowerCase() === typed.toLowerCase())?.id;

export interface SearchType {
	word: string;
	/** Whether it was typed, and so is meant as it stands. */
	isTyped: boolean;
}

/** Chooses what the people of a job did, or takes a platform's own word. */
export function searchTypePicker(): Field<SearchType> {
	const field = picker({
		displayName: 'Search Type',
		description: "What the people did. Type another word By ID if your platform's documentation names one.",
		method: 'searchSearchTypes',
		thing: 'search type',
		example: 'Reported',
		search: async (_filled, searchText) => ({
			entries: SEARCH_TYPES.filter(({ name }) => name.toLowerCase().includes(searchText.toLowerCase())),
			isLast: true,
		}),
	});
	return {
		...field,
		parse: (raw) => ({
			word: parseId(isRecord(raw) ? raw.value : raw),
			isTyped: !(isRecord(raw) && raw.mode === 'list'),
		}),
	};
}

/** The lists of a job's people, read in the way that the deployment at hand takes. */
export class JobUsers {
	constructor(
		private readonly simulator: Simulator,
		private readonly job: Job,
		private readonly send: PerformTools['send'],
	) {}

	/** Those that the platform lists under a word. */
	async listedAs(word: string, keep?: (row: IDataObject) => boolean): Promise<Produced[]> {
		const path = { ...this.job, searchType: word };
		return await this.send(
			{ contract: peopleContract(this.simulator), path, fallbackContracts: [] },
			keep ? { keep } : {},
		);
	}

	/** Those that a search type means, in the spelling that the platform knows. */
	async ofType({ word, isTyped }: SearchType): Promise<Produced[]> {
		const listed = listedWord(word);
		const known = async () => (listed === 'Submitted' ? await this.submitters() : await this.listedAs(listed ?? word));
		if (!isTyped || listed === undefined) return await known();
		return await (word === listed && listed !== 'Submitted'
			? known()
			: firstAccepted(async () => await this.listedAs(word), known));
	}

	/** Those who did something, a row each. */
	async who(deed: UserAction): Promise<Produced[]> {
		return await firstAccepted(
			async () =>
				deed === 'submitted'
					? await this.submitters()
					: await this.listedAs(capitalized(deed), (row) => belongsTo(row, deed)),
			async () => await this.ofCampaign(deed),
		);
	}

	/** One person's events; where a deployment lists people there instead, that person's rows. */
	async eventsOf(person: Picked, deed: UserAction): Promise<Produced[]> {
		return await firstAccepted(
			async () => await this.send({ ...this.eventList(deed), path: { resourceId: person.id } }, { mayBeAlone: true }),
			async () => await this.ofCampaign(deed, (row) => PERSON_ID.some((name) => identityOf(row, [name]) === person.id)),
		).catch((error: unknown) =>
			Promise.reject(
				this.simulator === 'smishing' && deed === 'opened' && isRefusal(error) ? withNoOpens(error) : error,
			),
		);
	}

	/** The platform has no list of those who submitted (deployment behaviour): they are found among all. */
	private async submitters(): Promise<Produced[]> {
		let isTold = true;
		const found = await this.listedAs(EVERYBODY, (row) => {
			const done = hasDone(row, 'submitted');
			isTold &&= done !== undefined;
			return done === true;
		});
		return isTold ? found : await this.ofCampaign('submitted');
	}

	/** The list as the contract reads (4.9): of the whole campaign, so what names another instance group is left out. */
	private async ofCampaign(deed: UserAction, keep: (row: IDataObject) => boolean = () => true): Promise<Produced[]> {
		const { resourceId } = this.job;
		return await this.send(
			{ ...this.eventList(deed), path: { resourceId } },
			{ keep: (row) => isOfGroup(row, this.job) && keep(row) },
		);
	}

	private eventList(deed: UserAction) {
		return { contract: eventContract(this.simulator, deed), fallbackContracts: eventFallbacks(this.simulator, deed) };
	}
}

/** Live deployments have no list of opened text messages (deployment shapes), and answer as if the person were unknown. */
const withNoOpens = ({ details }: ServiceError) =>
	new ServiceError({
		...details,
		reason: `the platform does not list the single openings of a text message, or does not know this person${details.status === undefined ? '' : ` (${details.status})`}`,
	});

/** The row of the contract about what people did (contract 4.9): their events, or themselves. */
export const eventContract = (simulator: Simulator, deed: UserAction) =>
	`POST /api/${simulator}-simulator/${simulator}-campaign-job-report/search-email-${deed}/{resourceId}` as const;

/** Where a deployment has the same under another address: smishing's are called by SMS (deployment facts). */
export const eventFallbacks = (simulator: Simulator, deed: UserAction): readonly ContractKey[] =>
	simulator === 'smishing' && deed !== 'opened'
		? [`POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-${deed}/{resourceId}`]
		: [];
