import { choice } from '../shared/form/choice';

/** Where mails are put in directly (contract 4.6), by name rather than by number. */
export const provider = choice({
	displayName: 'Provider',
	description: 'Which mail service the company uses',
	default: 'microsoft365',
	options: [
		{ name: 'Google Workspace', value: 'googleWorkspace' },
		{ name: 'Microsoft 365', value: 'microsoft365' },
	],
});

/** The provider's number in the service. */
export const PROVIDER_TYPE = { microsoft365: 1, googleWorkspace: 2 } as const;
