/** The description of an operation whose output holds a secret, because that is what it is for. */
export const keepsOutput = (description: string) =>
	`${description}. n8n's execution history keeps this output; to switch that off, set 'Save successful production executions' to 'Do not save' in the workflow's settings.`;
