/** The pictures on the nodes' pages, by the node's name, with their captions. tools/demo/screenshots.ts writes the files to docs/.images. */
export const PICTURES_BY_NODE: Record<string, Array<[file: string, caption: string]>> = {
	apiClient: [['client-form', 'Provision API client, filled in']],
	company: [
		['company-picker', 'Select a customer from the list'],
		['company-node', 'The details of a customer'],
		['actions-company', "What the node can do, in n8n's panel"],
	],
	enrollment: [
		['enrollment-form', 'Create enrollment, filled in'],
		['actions-enrollment', "What the node can do, in n8n's panel"],
	],
	phishingCampaign: [['actions-phishing-campaign', "What the node can do, in n8n's panel"]],
	scimIntegration: [['scim-form', 'Create SCIM integration, filled in']],
};
