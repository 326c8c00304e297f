/**
 * Compares the output previews that n8n's editor shows for operations with real output. The previews are the output
 * schemas in nodes/<node>/__schema__.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isRecord } from '../../nodes/core/values';
import { PACKAGE_ROOT } from '../n8n-core/package';
import { parseOperationKey } from '../contract/operationKeys';
import type { Case } from './case';

/** The part of a JSON schema that the previews use. */
interface OutputSchema {
	properties?: Record<string, OutputSchema> | undefined;
	items?: OutputSchema | undefined;
}

const outputSchemaSchema: z.ZodType<OutputSchema> = z.lazy(() =>
	z.object({ properties: z.record(outputSchemaSchema).optional(), items: outputSchemaSchema.optional() }),
);

/**
 * Lists the paths of the fields of a schema that none of the values has. If a list is empty, the fields of its entries
 * are not checked.
 */
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

/** Lists the fields that are in an operation's output preview but in none of the items. */
export function listMissingPreviewFields(
	{ node, operation }: Pick<Case, 'node' | 'operation'>,
	items: IDataObject[],
): string[] {
	const { resource, operation: value } = parseOperationKey(node, operation);
	const file = join(PACKAGE_ROOT, 'nodes', node, '__schema__', 'v1.0.0', resource, `${value}.json`);
	return listAbsentFields(outputSchemaSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), items);
}

/**
 * The operations whose previews contain fields that the contract's platform does not send, each with the section of the
 * contract and the reason. The contract does not name these fields, so previews use the names of live deployments.
 */
const DEPLOYED_ONLY_PREVIEWS: ReadonlyArray<[operationPattern: RegExp, reason: string]> = [
	[
		/^ApiClient: getMany$/,
		'2.11: The contract does not name the fields of rows. Without clientName, the preview would lack the name.',
	],
	[/^Company: getOwn$/, '4.3: The contract names no fields. The preview needs the name and the ID of the company.'],
	[
		/^CompanyGroup: (get|listAll)$/,
		'2.14: The contract names no fields. The preview needs the creation time and the companies of the group.',
	],
	[
		/^CompanyGroup: member\.replace$/,
		'2.14: The contract names no fields. The list of the companies in the group is outside the contract.',
	],
	[/^DirectEmailSetting: test$/, '4.6: The contract names no fields. Live deployments return only the ID.'],
	[
		/^Enrollment: get$/,
		'4.7: The contract names no fields. Live deployments return the due date in enrollmentScheduler.',
	],
	[/^Enrollment: getFormOptions$/, '2.8: The contract does not name the entries of the map.'],
	[
		/^ExecutiveReport: getMany$/,
		'4.10: The contract names no fields. The preview needs the description, which distinguishes the reports.',
	],
	[
		/Campaign: getMany$/,
		'4.9: The contract names no fields. The preview needs the last start, the recipients and the scenario.',
	],
	[
		/Campaign: campaignJob\.getMany$/,
		'4.9: The contract names no fields. The preview needs the date and the counts of the job.',
	],
	[
		/Campaign: result\.get/,
		"4.9: The contract names no fields. The preview needs the ID of the person's row and the times of the actions.",
	],
	[
		/^SamlSetting: getDefault$/,
		'2.15: The contract names no response fields. The preview needs the address for signing in.',
	],
	[
		/^ScimIntegration: (create|revokeToken)$/,
		'2.13: The contract does not name the field of the token, which is the result of these operations.',
	],
	[
		/^ScimIntegration: (get|getMany)$/,
		'2.13: The contract names no fields. The preview needs the group and the field mappings.',
	],
	[
		/^TrainingReport: (certificate\.getMany|email\.getReminders|email\.getSendingReport)$/,
		'4.8: The contract names no fields. The preview needs the recipient and the time.',
	],
	[
		/^TrainingReport: email\.getNotifications$/,
		'4.8: The contract names no fields. The preview needs the ID, the time and the error.',
	],
	[
		/^TrainingReport: enrolledUser\.getInteractions$/,
		'4.8: The contract names no fields. The preview needs the fields of the steps.',
	],
	[
		/^TrainingReport: (enrolledUser\.getMany|getManyByPeriod)$/,
		'4.8: The contract names no fields. The preview needs the ID that other operations take as input.',
	],
];

/** Returns true if an operation's preview has fields that only live deployments send. */
export const hasDeployedOnlyPreview = ({ node, operation }: Pick<Case, 'node' | 'operation'>) =>
	DEPLOYED_ONLY_PREVIEWS.some(([operationPattern]) => operationPattern.test(`${node}: ${operation}`));
