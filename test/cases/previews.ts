/** Whether what n8n's editor shows of an operation before it runs is what comes: the output schemas in nodes/<node>/__schema__. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isRecord } from '../../nodes/core/values';
import { packageRoot } from '../n8n-core/package';
import type { Case } from './case';

interface Schema {
	properties?: Record<string, Schema> | undefined;
	items?: Schema | undefined;
}

const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
	z.object({ properties: z.record(schemaSchema).optional(), items: schemaSchema.optional() }),
);

/** The fields of a schema that none of the values has, by their paths; nothing is said of what is inside an empty list. */
function listAbsentFields({ properties = {}, items }: Schema, values: unknown[], path: string[] = []): string[] {
	const entries = values.flatMap((value): unknown[] => (Array.isArray(value) ? value : []));
	if (items) return listAbsentFields(items, entries, path);
	const records = values.filter(isRecord);
	if (records.length === 0) return [];
	return Object.entries(properties).flatMap(([name, inner]) => {
		const inside = records.flatMap((record) => (name in record ? [record[name]] : []));
		return inside.length === 0 ? [[...path, name].join('.')] : listAbsentFields(inner, inside, [...path, name]);
	});
}

/** The fields that an operation's preview shows, and that did not come. */
export function listMissingPreviewFields({ node, operation }: Pick<Case, 'node' | 'operation'>, items: IDataObject[]): string[] {
	const resource = node.charAt(0).toLowerCase() + node.slice(1);
	const file = join(packageRoot, 'nodes', node, '__schema__', 'v1.0.0', resource, `${operation}.json`);
	return listAbsentFields(schemaSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), items);
}

/**
 * Previews show what live deployments send. What the contract does not name has other names on the stand-in's contract way, or is
 * not there at all; these are all such operations, each with the fields for which the deployed way was preferred.
 */
const DEPLOYED_ONLY_PREVIEWS: ReadonlyArray<[operations: RegExp, reason: string]> = [
	[
		/^ApiClient: getMany$/,
		"2.11: fields in lists are not shown; without clientName, the client's name would be missing",
	],
	[/^Company: getOwn$/, '4.3: fields are not shown; the name and the ID of the record itself'],
	[/^CompanyGroup: (get|getAllGroups)$/, '2.14: fields are not shown; when a group was made, and the companies in it'],
	[
		/^CompanyGroup: replaceParticipants$/,
		'2.14: fields are not shown; who is in the group is only told beside the contract',
	],
	[/^DirectEmailSetting: test$/, '4.6: fields are not shown; the ID is all that comes'],
	[/^Enrollment: get$/, '4.7: fields are not shown; the due date is in enrollmentScheduler'],
	[/^Enrollment: getFormDetails$/, "2.8: the names in the map are the platform's"],
	[/^ExecutiveReport: getMany$/, '4.10: fields are not shown; the description tells reports apart'],
	[/Campaign: getMany$/, '4.9: fields are not shown; when it was sent last, to whom, and what it simulates'],
	[/Campaign: getManyJobs$/, '4.9: fields are not shown; the date and the figures of a job'],
	[
		/Campaign: (searchJobUsers|opened|clicked|submitted|reported|fullReport|fullReportOfPeriod)$/,
		"4.9: fields are not shown; the ID of a person's row, and when the person did it",
	],
	[/^SamlSetting: getDefault$/, '2.15: fields of the answer are not shown; the address where people sign in'],
	[/^ScimIntegration: (create|revokeToken)$/, '2.13: the token is not named; it is what these are for'],
	[/^ScimIntegration: (get|getMany)$/, '2.13: fields are not shown; the group, and how fields are mapped'],
	[
		/^TrainingReport: (getCertificates|getReminderMails|getSendingReport)$/,
		'4.8: fields are not shown; who got it, when',
	],
	[/^TrainingReport: getNotifications$/, '4.8: fields are not shown; the ID, when it was sent, and the error'],
	[/^TrainingReport: getInteractions$/, '4.8: fields are not shown; the steps themselves'],
	[/^TrainingReport: (getUsers|progressOfPeriod)$/, '4.8: fields are not shown; the ID that other fields take'],
];

/** Whether an operation's preview has fields that only live deployments send. */
export const hasDeployedOnlyPreview = ({ node, operation }: Pick<Case, 'node' | 'operation'>) =>
	DEPLOYED_ONLY_PREVIEWS.some(([operations]) => operations.test(`${node}: ${operation}`));
