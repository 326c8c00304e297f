import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/paging';
import { defineComposite, type Operation } from '../operation/define';
import { TARGET_USER_ID } from '../pickers/enrollment';
import { toJson } from '../transport/envelope';
import { jobPicker, type Simulator } from './simulator';

interface Steps {
	summary: Operation;
	opened: Operation;
	clicked: Operation;
	submitted: Operation;
}

/** Who a row is about. */
const personOf = (row: IDataObject) => identityOf(row, ['email', ...TARGET_USER_ID]);

const SEARCH = {
	orderBy: 'Email',
	ascending: true,
	filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
};

/** A run of a campaign as rows for a sheet: one per person who did anything, with the run's figures beside. */
export function fullReport(simulator: Simulator, steps: Steps): Operation {
	return defineComposite({
		value: 'fullReport',
		name: `Get Full ${simulator.charAt(0).toUpperCase()}${simulator.slice(1)} Campaign Report`,
		action: `Get full ${simulator} campaign report`,
		description:
			'Get who opened, clicked and submitted in one run, a row per person, with the figures of the run in each row',
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		reads: true,
		steps: [steps.summary, steps.opened, steps.clicked, steps.submitted],
		run: async ({ job: { resourceId, instanceGroup } }, { ask, list }) => {
			const read = async (step: Operation) => {
				const rows = await list(step, { path: { resourceId }, body: SEARCH }, { identity: [] });
				// These lists are of the whole campaign; a row that names its group must be of the chosen one.
				return rows.filter((row) => String(identityOf(row, ['instanceGroup']) ?? instanceGroup) === instanceGroup);
			};
			const [summary, opened, clicked, submitted] = await Promise.all([
				ask(steps.summary, { path: { resourceId, instanceGroup } }),
				read(steps.opened),
				read(steps.clicked),
				read(steps.submitted),
			]);
			const figures = Object.fromEntries(
				Object.entries(toJson(summary.data)).map(([name, value]) => [`summary_${name}`, value]),
			);
			const people = new Map<string, IDataObject>();
			const lists = { opened, clicked, submitted };
			for (const [verb, rows] of Object.entries(lists)) {
				for (const [index, row] of rows.entries()) {
					// A row without a person stays a row of its own, so that nothing is lost.
					const person = personOf(row) ?? `${verb} ${index}`;
					const known = people.get(person) ?? { opened: false, clicked: false, submitted: false };
					people.set(person, { ...row, ...known, [verb]: true });
				}
			}
			const job = { jobResourceId: resourceId, instanceGroup: Number(instanceGroup) };
			// A run in which nobody did anything still has its figures.
			const rows = people.size > 0 ? [...people.values()] : [{}];
			return rows.map((row) => ({ json: { ...row, ...job, ...figures } }));
		},
	});
}
