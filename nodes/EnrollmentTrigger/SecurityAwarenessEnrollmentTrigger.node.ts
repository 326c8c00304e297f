import { NodeConnectionTypes, type INodeType, type INodeTypeDescription, type IPollFunctions } from 'n8n-workflow';

import { buildTriggerMethods, buildTriggerProperties } from '../core/trigger/triggerFields';
import { pollRecords } from '../core/trigger/poll';
import { enrollmentTrigger } from './enrollmentTrigger';

export class SecurityAwarenessEnrollmentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Enrollment Trigger',
		name: 'securityAwarenessEnrollmentTrigger',
		icon: { light: 'file:../../icons/enrollmentTrigger.svg', dark: 'file:../../icons/enrollmentTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ($parameter["triggerOn"] === "new" ? "New" : "Status Changed") + ": " + ($parameter["enrollmentType"] === "Survey" ? "Surveys" : "Enrollments") }}',
		// n8n's node panel shows this description also for the regular node 'Enrollment', so it describes both nodes.
		description:
			'Enroll people in trainings, send and list enrollments, or start the workflow for new enrollments or changes of their status',
		defaults: { name: 'Security Awareness Enrollment Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildTriggerProperties(enrollmentTrigger),
	};

	methods = buildTriggerMethods(enrollmentTrigger);

	async poll(this: IPollFunctions) {
		return await pollRecords(this, enrollmentTrigger);
	}
}
