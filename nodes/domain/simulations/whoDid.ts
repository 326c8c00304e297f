import type { Answered } from '../../core/response/responseHandler';
import { recordOutput } from '../../core/response/outputFields';
import { filtersOf } from '../../core/filters/filterFields';
import {
	defineComposite,
	defineOperation,
	type Operation,
	type PerformTools,
	type Tools,
} from '../../core/operation/defineOperation';
import { toJson, type Choice } from '../../core/values';
import { botFields, botFilter, withoutBots } from './bots';
import {
	eventsEndpoint,
	eventsOf,
	onePerPerson,
	people,
	peopleEndpoint,
	peopleWho,
	PERSON,
	personPicker,
	REPORTED_EVENTS,
	withActions,
	type RiskyAction,
	type UserAction,
} from './people';
import {
	campaignName,
	capitalized,
	jobPicker,
	titleOf,
	whoDidInPeriod,
	withJob,
	type Job,
	type Simulator,
} from './simulator';

/** The operations that an answer is completed by. */
type Uses = Record<'summary' | 'people', Operation>;

/** What a person chose. */
interface Chosen {
	job: Job;
	filters: { excludeBots?: boolean; person?: Choice | undefined };
}

const output = recordOutput(PERSON);

/** What a person did, in words: "clicked the link". */
const deedOf = (simulator: Simulator, action: RiskyAction) =>
	({
		opened: 'opened the message',
		clicked: simulator === 'quishing' ? 'scanned the QR code' : 'clicked the link',
		submitted: 'submitted data',
	})[action];

const wordsOf = (simulator: Simulator, action: UserAction) => ({
	value: action,
	name: `Get Users Who ${capitalized(action)} in ${titleOf(simulator)} Campaign`,
	description:
		action === 'reported'
			? 'List who reported the message in one job, a row per person'
			: `List who ${deedOf(simulator, action)} in one job; for every customer: ${whoDidInPeriod(simulator)}`,
});

/** Which people did something in one job, or the events of one of them, for one action each. */
export function whoDidOperations(simulator: Simulator, uses: Uses): Operation[] {
	const risky = (['clicked', 'opened', 'submitted'] as const).map((action) => whoDid(simulator, action, uses));
	return [...risky, simulator === 'smishing' ? whoReportedText(simulator, uses) : whoReported(simulator, uses)];
}

/** Says that nobody did it, where the output is empty. */
const nobody = (simulator: Simulator, action: UserAction) => ({
	thing: `${simulator} campaign job`,
	count: 1,
	none: `nobody ${action === 'reported' ? 'reported the message' : deedOf(simulator, action)}`,
});

/** Lists them, a row per person with the name of the campaign; or the events of one person, which do not say whose they are. */
const didBy =
	(simulator: Simulator, action: UserAction, { summary }: Uses) =>
	async ({ job, filters: { excludeBots, person } }: Chosen, tools: PerformTools): Promise<Answered[]> => {
		const bots = botFilter(excludeBots, capitalized(action));
		const send = withoutBots(bots, tools.send);
		const found = await (person ? eventsOf(person, send) : peopleWho(simulator, job, action, send));
		bots.tell(tools.context);
		if (!person) tools.context.looked(nobody(simulator, action));
		const name = found.length > 0 ? await nameOf(job, summary, tools) : undefined;
		const rows = found.map(({ json }) => json);
		const did = person ? { personResourceId: person.id } : { [action]: true };
		const jsons = (person ? rows : onePerPerson(rows)).map((json) => ({ campaignName: name ?? null, ...json, ...did }));
		return jsons.map((json) => ({ json, only: found[0]?.only }));
	};

function whoDid(simulator: Simulator, action: RiskyAction, uses: Uses): Operation {
	return defineOperation({
		...wordsOf(simulator, action),
		endpoint: eventsEndpoint(simulator, action),
		substitutes: [peopleEndpoint(simulator)],
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersOf({ ...botFields, person: personPicker(simulator) }) },
		request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
		answer: people(),
		perform: didBy(simulator, action, uses),
		output: withJob,
	});
}

/** Who reported, of simulators whose events of it are told, too (deployment activity 2). */
function whoReported(simulator: 'phishing' | 'quishing', uses: Uses): Operation {
	return defineOperation({
		...wordsOf(simulator, 'reported'),
		endpoint: REPORTED_EVENTS[simulator],
		substitutes: [peopleEndpoint(simulator)],
		scope: 'company',
		fields: { job: jobPicker(simulator), filters: filtersOf({ person: personPicker(simulator) }) },
		request: ({ job: { resourceId } }) => ({ path: { resourceId } }),
		answer: people(),
		perform: didBy(simulator, 'reported', uses),
		output: withJob,
	});
}

/** The same of text messages, of which no such events are told. */
function whoReportedText(simulator: 'smishing', uses: Uses): Operation {
	return defineComposite({
		...wordsOf(simulator, 'reported'),
		scope: 'company',
		fields: { job: jobPicker(simulator), ...output.fields },
		reads: true,
		uses: Object.values(uses),
		run: async ({ job, ...chosen }, tools) => {
			const bots = botFilter(false, 'Reported');
			const asked = { path: { ...job, searchType: 'Reported' }, body: bots.body };
			const found = await tools.list(uses.people, asked, { identity: [] });
			tools.context.looked(nobody(simulator, 'reported'));
			const name = found.length > 0 ? await nameOf(job, uses.summary, tools) : undefined;
			return onePerPerson(found.map(withActions))
				.map((json) => withJob({ campaignName: name ?? null, ...json, reported: true }, { job }))
				.map(output.of(chosen));
		},
	});
}

/** The name of a job's campaign, which the rows of its people lack. @returns undefined if it cannot be read */
const nameOf = async ({ resourceId, instanceGroup }: Job, summary: Operation, { ask }: Tools) =>
	ask(summary, { path: { resourceId, instanceGroup } }).then(
		({ data }) => campaignName(toJson(data)),
		// The people are found already, and a run that was stopped ends by itself.
		() => undefined,
	);
