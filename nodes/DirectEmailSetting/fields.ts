import { choice } from '../shared/form/choice';

/** The field for the mail service of direct email (contract 4.6), by name instead of number. */
export const provider = choice({
	displayName: 'Provider',
	description: 'Which mail service the company uses',
	default: 'microsoft365',
	options: [
		{ name: 'Google Workspace', value: 'googleWorkspace' },
		{ name: 'Microsoft 365', value: 'microsoft365' },
	],
});

/** The numbers of the providers in the service. */
export const PROVIDER_TYPE = { microsoft365: 1, googleWorkspace: 2 } as const;
