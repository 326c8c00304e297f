/**
 * Compares the previews of operations in n8n's editor with real output. The previews are the output schemas in
 * nodes/<node>/__schema__.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isRecord } from '../../nodes/core/values';
import { PACKAGE_ROOT } from '../n8n-core/package';
import type { Case } from './case';

/** The part of a JSON schema that the previews use. */
interface OutputSchema {
	properties?: Record<string, OutputSchema> | undefined;
	items?: OutputSchema | undefined;
}

const outputSchemaSchema: z.ZodType<OutputSchema> = z.lazy(() =>
	z.object({ properties: z.record(outputSchemaSchema).optional(), items: outputSchemaSchema.optional() }),
);

/** Lists the paths of the schema's fields that none of the values has. The fields of an empty list are not checked. */
function listAbsentFields({ properties = {}, items }: OutputSchema, values: unknown[], path: string[] = []): string[] {
	const entries = values.flatMap((value): unknown[] => (Array.isArray(value) ? value : []));
	if (items) return listAbsentFields(items, entries, path);
	const records = values.filter(isRecord);
	if (records.length === 0) return [];
	return Object.entries(properties).flatMap(([name, fieldSchema]) => {
		const fieldValues = records.flatMap((record) => (name in record ? [record[name]] : []));
		const fieldPath = [...path, name];
		return fieldValues.length === 0 ? [fieldPath.join('.')] : listAbsentFields(fieldSchema, fieldValues, fieldPath);
	});
}

/** Lists the fields of an operation's preview that no item has. */
export function listMissingPreviewFields(
	{ node, operation }: Pick<Case, 'node' | 'operation'>,
	items: IDataObject[],
): string[] {
	const resource = node.charAt(0).toLowerCase() + node.slice(1);
	const file = join(PACKAGE_ROOT, 'nodes', node, '__schema__', 'v1.0.0', resource, `${operation}.json`);
	return listAbsentFields(outputSchemaSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), items);
}

/**
 * The operations whose previews show fields that the contract's platform does not send, with the reason. Previews show what
 * live deployments send; fields that the contract does not name have other names there, or are missing.
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

/** Returns true if an operation's preview has fields that only live deployments send. */
export const hasDeployedOnlyPreview = ({ node, operation }: Pick<Case, 'node' | 'operation'>) =>
	DEPLOYED_ONLY_PREVIEWS.some(([operations]) => operations.test(`${node}: ${operation}`));
