import { NodeConnectionTypes, type INodeType, type INodeTypeDescription, type IPollFunctions } from 'n8n-workflow';

import { buildEventTriggerMethods, buildEventTriggerProperties, runEventTrigger } from '../core/trigger/eventTrigger';
import { personEventTrigger } from './personEventTrigger';

export class SecurityAwarenessPersonEventTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Person Event Trigger',
		name: 'securityAwarenessPersonEventTrigger',
		icon: { light: 'file:../../icons/personEventTrigger.svg', dark: 'file:../../icons/personEventTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			// An entry of the list is saved as its name and its ID: "Link Clicked ⟨ID LinkClicked⟩".
			'={{ "New: " + ([].concat($parameter["actionTypes"] || []).join(", ").replace(/ ⟨ID [^⟩]*⟩/g, "") || "Person Events") }}',
		description: 'Start the workflow when a person clicks, reports, submits data, or finishes or fails a training',
		defaults: { name: 'Security Awareness Person Event Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildEventTriggerProperties(personEventTrigger),
	};

	methods = buildEventTriggerMethods(personEventTrigger);

	async poll(this: IPollFunctions) {
		return await runEventTrigger(this, personEventTrigger);
	}
}
