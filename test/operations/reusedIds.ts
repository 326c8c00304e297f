/** Checks that the output of one node can be used in the next one. */
import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../nodes/core/values';
import { toIdLocator } from '../cases';
import { createInputItem, runCase, type OperationFixture } from '../cases/operationFixture';
import { requireValue } from '../n8n-core/schemas';
import { fillIdField, findListMethods, ID_FIELDS } from './outputIds';
import { findCase, type OperationRecord } from './records';

type Scalar = string | number;

/** Lists the texts and numbers in a value, each with its path. Only the first entry of each list is searched. */
function* listScalars(value: unknown, path: string[] = []): Generator<{ path: string[]; value: Scalar }> {
	if (Array.isArray(value)) yield* listScalars(value[0], path);
	else if (isRecord(value)) for (const [name, part] of Object.entries(value)) yield* listScalars(part, [...path, name]);
	else if (typeof value === 'number' || (typeof value === 'string' && value !== '')) yield { path, value };
}

/** The fields that output items must have. The pattern selects the cases by their titles. */
const EXPECTED_FIELDS: Array<[title: RegExp, names: string[]]> = [
	[/Campaign: (campaignJob\.(getMany|getSummary)|result\.get)/, ['jobId']],
	[/Campaign: (create|createAndStart)$/, ['resourceId', 'name']],
	[/^Company: (create|get)$/, ['companyResourceId', 'companyName']],
	// A company on the platform may have no name.
	[/^Company: (getMany|getOwn)$/, ['companyResourceId']],
	[/^Enrollment: (create|createAndSend|sendToPeople)$/, ['enrollmentId', 'name']],
	[/^Enrollment: (get|getMany|send|stop|deletedEnrollment\.restore)$/, ['enrollmentId']],
	[/^Enrollment: update$/, ['enrollmentId', 'name']],
	[/^(ApiClient|CompanyGroup|DirectEmailSetting|SamlSetting|TargetGroup): create$/, ['name', 'resourceId']],
	[/^(ApiClient|CompanyGroup|ScimIntegration|TargetGroup): update$/, ['name', 'resourceId']],
	[/^AllowedDomain: (create|verify|markAsVerified|delete)$/, ['domain', 'resourceId']],
	[/^SystemUser: (create|update)$/, ['email', 'resourceId']],
	[/^Company: (update|delete)$/, ['companyName', 'companyResourceId']],
	[/: delete$/, ['resourceId']],
	[/^CompanyGroup: member\.getMany$/, ['companyGroupResourceId']],
	// The activity of people in a period has no ID (deployment activity 3).
	[/^TrainingReport: (?!userActivity)/, ['enrollmentId']],
	[/^Leaderboard: user\.get/, ['targetUserResourceId']],
];

/** Checks that the items have the fields that the next node needs, even if the service uses other names for them. */
export function expectFieldsForNextNode({ testCase: { node, operation }, run, items }: OperationRecord): void {
	const title = `${node}: ${operation}`;
	const names = EXPECTED_FIELDS.flatMap(([pattern, fieldNames]) => (pattern.test(title) ? fieldNames : []));
	const missingNames = items.flatMap(({ json }) => names.filter((name) => String(json[name] ?? '') === ''));
	expect(missingNames).toEqual([]);
	const jobIds = names.includes('jobId') ? items.map(({ json }) => String(json.jobId)) : [];
	expect(jobIds.filter((jobId) => !/^[\w-]+\/\d+$/.test(jobId))).toEqual([]);
	const [{ name, companyName } = {}] = items.map(({ json }) => json);
	if (title.startsWith('Enrollment: create')) expect(name).toBe(run.parameters.name);
	if (title === 'Company: create') expect(companyName).toBe(run.parameters.name);
}

/** Runs operations with the IDs in the outputs of other operations. Each ID is passed to each field only once per profile. */
export class IdPasser {
	/** The IDs that were already passed to a field, each with the name of the field's list method. */
	private readonly passedIds = new Set<string>();

	constructor(private readonly fixture: OperationFixture) {}

	/**
	 * Passes the IDs in the first item to the fields that take them. Call it directly after the run, because the IDs of created
	 * records are gone after a reset of the stand-in.
	 * @returns the errors of the operations that don't accept an ID
	 */
	async passIds({ testCase: { node, operation }, run, items }: OperationRecord): Promise<string[]> {
		// A deleted record can't be selected any more.
		if (/(^|\.)delete(Permanently)?$/.test(operation)) return [];
		const errors: string[] = [];
		const [item = {}] = items.map(({ json }) => json);
		// A form in which a person is selected also needs the person's job or enrollment.
		const personContext: IDataObject = {};
		if ('jobId' in item) personContext.job = toIdLocator(String(item.jobId));
		if (node === 'TrainingReport')
			personContext.enrollment = run.parameters.enrollment ?? toIdLocator(String(item.enrollmentId));
		for (const { path, value } of listScalars(item))
			for (const list of findListMethods(node, operation, path)) {
				if (this.passedIds.has(`${list} ${value}`)) continue;
				this.passedIds.add(`${list} ${value}`);
				const contextParameters = /People|TargetUsers/.test(list) ? personContext : {};
				await this.passToField(list, value, contextParameters).catch((error: unknown) => {
					errors.push(`${path.join('.')} in ${list}: ${error instanceof Error ? error.message : String(error)}`);
				});
			}
		return errors;
	}

	/** Runs an operation whose form field gets a value from another operation's output. @param list the name of the field's list method */
	private async passToField(list: string, value: Scalar, contextParameters: IDataObject): Promise<void> {
		const { fixture } = this;
		const idField = requireValue(ID_FIELDS[list]);
		const testCase = findCase(idField.node, idField.operation);
		if (testCase.isOutsideContract && !fixture.customer.isDeployed) return;
		const { parameters, inputFiles: files = {} } = idField.needsOnlyCompany
			? { parameters: fixture.customer.companyParameters }
			: await testCase.prepare(fixture.customer);
		const run = { parameters: fillIdField(idField, { ...parameters, ...contextParameters }), files };
		await runCase(fixture, testCase, run, { items: [await createInputItem(files, { value })] });
	}
}
