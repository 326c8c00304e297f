/**
 * The ID of a record is not always called resourceId (deployment facts, Naming). So each kind of record is recognised
 * by every name that its ID was seen to have: it is listed once if a list changes, and can be chosen by it.
 */
import type { IDataObject, INodeListSearchResult } from 'n8n-workflow';
import { z } from 'zod';
import { readList } from '../../nodes/shared/answer/paging';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessQuishingCampaign } from '../../nodes/QuishingCampaign/SecurityAwarenessQuishingCampaign.node';
import { SecurityAwarenessSamlSetting } from '../../nodes/SamlSetting/SecurityAwarenessSamlSetting.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessSmishingCampaign } from '../../nodes/SmishingCampaign/SecurityAwarenessSmishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTraining } from '../../nodes/Training/SecurityAwarenessTraining.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, callLoadOptions } from '../n8n-core';
import { answering, nodeFixture, jsonOf, sendJson, type NodeClass } from '../n8n-core/nodeFixture';

const b = nodeFixture();

const asked = z.object({ pageNumber: z.number() });

/** A service of three records: the second one has moved to page 2, so that it is on both pages. */
async function shifted(id: string) {
	const records = ['a', 'b', 'c'].map((letter) => ({ [id]: `id-${letter}`, name: `Name ${letter}` }));
	return await answering((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { pageNumber } = asked.parse(JSON.parse(text));
			const results = pageNumber === 1 ? records.slice(0, 2) : pageNumber === 2 ? records.slice(1) : [];
			sendJson(response, 200, { data: { results, totalNumberOfPages: 2, totalNumberOfRecords: 3 } });
		});
	});
}

const OWN = { companyScope: 'own' };
const LISTS: Array<[node: NodeClass, names: string[]]> = [
	[SecurityAwarenessApiClient, ['resourceId', 'clientResourceId', 'id']],
	[SecurityAwarenessCompany, ['companyResourceId', 'resourceId', 'id']],
	[SecurityAwarenessCompanyGroup, ['resourceId', 'companyGroupResourceId', 'id']],
	[SecurityAwarenessEnrollment, ['resourceId', 'enrollmentId', 'enrollmentResourceId', 'id']],
	[SecurityAwarenessPhishingCampaign, ['resourceId', 'phishingCampaignResourceId', 'campaignResourceId', 'id']],
	[SecurityAwarenessQuishingCampaign, ['resourceId', 'quishingCampaignResourceId', 'campaignResourceId', 'id']],
	[SecurityAwarenessScimIntegration, ['resourceId', 'scimResourceId', 'id']],
	[SecurityAwarenessSmishingCampaign, ['resourceId', 'smishingCampaignResourceId', 'campaignResourceId', 'id']],
	[SecurityAwarenessTargetGroup, ['resourceId', 'targetGroupResourceId', 'id']],
	[SecurityAwarenessTraining, ['trainingId', 'resourceId', 'id']],
];

test.each(LISTS.flatMap(([node, names]) => names.map((name) => [node.name, name, node] as const)))(
	'%s, known by %s: a record that is on two pages is given once',
	async (_node, name, node) => {
		const { store } = await shifted(name);
		const parameters = { operation: 'getMany', ...OWN, returnAll: true, output: 'raw' };
		const { items } = await b.run(node, parameters, { store });
		expect(jsonOf(items).map((record) => record[name])).toEqual(['id-a', 'id-b', 'id-c']);
	},
);

/** What a list to choose from shows of a service that has this one record. */
async function listed(node: NodeClass, method: string, record: IDataObject): Promise<unknown[]> {
	const { store } = await answering((request, response) => {
		const isPaged = request.method === 'POST';
		sendJson(response, 200, { data: isPaged ? { results: [record], totalNumberOfPages: 1 } : [record] });
	});
	const enrollment = { __rl: true, mode: 'id', value: 'e' };
	const call = { node: new node(), method, credential: store, parameters: { ...OWN, enrollment } };
	const entries: INodeListSearchResult['results'] = method.startsWith('load')
		? await callLoadOptions(call)
		: (await callListSearch(call)).results;
	return entries.map(({ name, value }) => [name, value]);
}

const PICKERS: Array<[node: NodeClass, method: string, names: string[]]> = [
	[SecurityAwarenessApiClient, 'searchApiClients', ['resourceId', 'clientResourceId', 'id']],
	[SecurityAwarenessApiClient, 'loadRoles', ['resourceId', 'roleResourceId', 'id']],
	[SecurityAwarenessCompany, 'searchCompanies', ['companyResourceId', 'resourceId', 'id']],
	[SecurityAwarenessCompanyGroup, 'searchCompanyGroups', ['resourceId', 'companyGroupResourceId', 'id']],
	[SecurityAwarenessEnrollment, 'searchEnrollments', ['resourceId', 'enrollmentId', 'enrollmentResourceId', 'id']],
	[SecurityAwarenessEnrollment, 'searchTrainings', ['trainingId', 'resourceId', 'id']],
	[SecurityAwarenessEnrollment, 'loadTargetGroups', ['resourceId', 'targetGroupResourceId', 'id']],
	[SecurityAwarenessExecutiveReport, 'loadWidgets', ['widgetId', 'resourceId', 'id']],
	[SecurityAwarenessSamlSetting, 'searchSamlSettings', ['resourceId', 'id']],
	[SecurityAwarenessScimIntegration, 'searchScimIntegrations', ['resourceId', 'scimResourceId', 'id']],
	[SecurityAwarenessScimIntegration, 'searchScimFields', ['resourceId', 'scimFieldResourceId', 'id']],
	[SecurityAwarenessTrainingReport, 'searchTargetUsers', ['targetUserResourceId', 'resourceId', 'id']],
];

test.each(PICKERS.flatMap(([node, method, names]) => names.map((name) => [node.name, method, name, node] as const)))(
	'%s, %s, known by %s: chosen by it',
	async (_node, method, name, node) => {
		const entries = await listed(node, method, { [name]: 'the-id', title: 'Nothing', name: 'The Name' });
		expect(entries).toEqual([['The Name', 'the-id']]);
	},
);

/** A person looks for a name, so a list shows the one that a record has, whatever it is called (deployment facts, Naming). */
const NAMED: Array<[node: NodeClass, method: string, names: string[]]> = [
	[SecurityAwarenessApiClient, 'searchApiClients', ['name', 'clientName']],
	[SecurityAwarenessApiClient, 'loadRoles', ['name', 'roleName']],
	[SecurityAwarenessCompany, 'searchCompanies', ['companyName', 'name']],
	[SecurityAwarenessCompanyGroup, 'searchCompanyGroups', ['name', 'companyGroupName']],
	[SecurityAwarenessEnrollment, 'searchEnrollments', ['name', 'enrollmentName', 'trainingName']],
	[SecurityAwarenessEnrollment, 'searchTrainings', ['trainingName', 'name']],
	[SecurityAwarenessEnrollment, 'loadTargetGroups', ['name', 'targetGroupName']],
	[SecurityAwarenessExecutiveReport, 'loadWidgets', ['name', 'widgetName']],
	[SecurityAwarenessSamlSetting, 'searchSamlSettings', ['name']],
	[SecurityAwarenessScimIntegration, 'searchScimIntegrations', ['name', 'scimName']],
	[SecurityAwarenessScimIntegration, 'searchScimFields', ['name', 'displayName', 'fieldName', 'attributeName']],
	[SecurityAwarenessTrainingReport, 'searchTargetUsers', ['email', 'name', 'fullName', 'firstName']],
];

test.each(NAMED.flatMap(([node, method, names]) => names.map((name) => [node.name, method, name, node] as const)))(
	'%s, %s, named by %s: shown by it',
	async (_node, method, name, node) => {
		const entries = await listed(node, method, { id: 'the-id', [name]: 'The Name' });
		expect(entries).toEqual([['The Name', 'the-id']]);
	},
);

describe('records without an identity, in a list that lacks records and so is read again', () => {
	const [a, b, x, y] = [{ id: 'a' }, { id: 'b' }, { name: 'x' }, { name: 'y' }];
	/** @param answers what is read the first time, the second time, and so on */
	const read = async (...answers: IDataObject[][]) => {
		let asked = 0;
		const ask = async () => {
			const results = answers[Math.min(asked++, answers.length - 1)];
			return { results, totalNumberOfPages: 1, totalNumberOfRecords: 5 };
		};
		return await readList(ask, { limit: Infinity, pageSize: 100, ahead: 1 }, { identity: ['id'] });
	};

	test('stay in their places', async () => {
		expect(await read([a, x, b])).toMatchObject({ records: [a, x, b], missing: 2 });
	});

	test('are those of the reading that has more of them', async () => {
		expect(await read([a, x, y], [a, x])).toMatchObject({ records: [a, x, y], missing: 2 });
		expect(await read([a, x], [a, x, y])).toMatchObject({ records: [a, x, y], missing: 2 });
	});
});
