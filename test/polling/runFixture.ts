/** What the tests of one poll's parts share: a kind, a company, a person's choices, and what a poll works with. */
import type { IPollFunctions } from 'n8n-workflow';
import type { Choices } from '../../nodes/shared/polling/choices';
import { Run } from '../../nodes/shared/polling/run';
import type { Kind } from '../../nodes/shared/polling/trigger';
import type { Service } from '../../nodes/shared/transport/service';

export const kind: Kind = {
	...{ code: 'e', name: 'enrollment', things: 'enrollments', contract: 'POST /api/enrollments/search' },
	...{ body: { enrollmentType: 'Survey' }, details: () => undefined },
	identity: ({ id }) => (typeof id === 'string' ? id : undefined),
};
export const company = { id: 'c', name: 'Acme' };

/** What a person who has set nothing has chosen, but for this. */
export const choicesWith = (more: Partial<Choices> = {}): Choices => ({
	...{ watchesStatus: false, statuses: [], alsoFirstSeen: false, kinds: [kind], options: {} },
	...{ scope: { kind: 'every', filter: {} }, ...more },
});

/** What a poll of 100 seconds works with. @returns it, and what it says */
export function runWith(
	choices: Partial<Choices> = {},
	service: Partial<Pick<Service, 'json' | 'settings' | 'address' | 'clientId'>> = {},
): { run: Run; said: string[] } {
	const said: string[] = [];
	const context: IPollFunctions = Object.assign(Object.create(null), {
		getWorkflow: () => ({ id: 'w', name: 'My Workflow' }),
		getNode: () => ({ id: '1', name: 'My Trigger', type: 't', typeVersion: 1, position: [0, 0], parameters: {} }),
		logger: { warn: (message: string) => said.push(message) },
	});
	const whole: Service = Object.assign(Object.create(null), service);
	return { run: new Run(context, choicesWith(choices), whole, 100_000), said };
}
