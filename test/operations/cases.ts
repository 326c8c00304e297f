/**
 * Every operation once: what must be there at the stand-in service, the parameters to run it with, and what must come
 * of it. Plain data and functions, for n8n-core in a test as for a real n8n; what is wrong is thrown by node:assert.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { SIMULATORS, type Simulator } from '../service/personality';
import type { Company } from '../service/seed';
import { byId, Visitor } from './visitor';

export { allOperations, type Listed } from './catalogue';
export { byId, Visitor };

/** An output item, as far as cases look at it. */
export interface Item {
	json: IDataObject;
}

export interface InputFile {
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** One run of an operation. */
export interface Run {
	/** Everything but the operation's own name. */
	parameters: IDataObject;
	/** Files of the one input item, by the field they are in. */
	files?: Record<string, InputFile>;
	/** How many items come out. */
	items: number;
	/** @throws AssertionError where the output is not as the service has it */
	expect: (items: Item[]) => void;
	/** What it asks of the service, in order, tokens aside; its own row of the contract, once, unless given. */
	requests?: string[];
	/** How many records the file holds. */
	rows?: number;
	/** What must be seen nowhere but in the parameters and the output. */
	secrets?: (items: Item[]) => string[];
	/** Those of them that are in the parameters. */
	given?: string[];
}

export interface Case {
	/** The node's folder. */
	node: string;
	operation: string;
	/** Whether a file comes out. */
	isFile: boolean;
	/**
	 * Makes what the operation needs. To be called right before it runs, on a service that nothing was changed on.
	 * @param asTool whether an AI agent runs it, which has no files to give
	 */
	prepare: (visitor: Visitor, asTool?: boolean) => Promise<Run>;
}

type Row = Record<string, unknown>;
type Prepare = (visitor: Visitor, asTool: boolean) => Run | Promise<Run>;

export const cases: Case[] = [];

/** Adds cases of a node. */
function of(node: string, prepares: Record<string, Prepare>, isFile = false): void {
	for (const [operation, prepare] of Object.entries(prepares))
		cases.push({ node, operation, isFile, prepare: async (visitor, asTool = false) => await prepare(visitor, asTool) });
}

/** The only item's json, of a shape that is needed; the compiler cannot know what a node answers. */
function only<T extends z.ZodRawShape>(items: Item[], shape: T) {
	assert.equal(items.length, 1);
	return z.object(shape).passthrough().parse(items[0]?.json);
}

const isWord = z.string().min(1);
const isAddress = z.string().url();

/** A value that the test's own data must have. */
function the<T>(value: T | null | undefined): T {
	assert.ok(value !== undefined && value !== null, 'The test data has no such value');
	return value;
}

const same = (shown: unknown, value: unknown) =>
	JSON.stringify(shown) === JSON.stringify(value) || (Array.isArray(value) && shown === value.map(String).join(', '));

/** Each item is one of the records, whole or simplified, and each record is there once. */
function areRecords(items: Item[], records: Row[]): void {
	assert.ok(records.length > 0, 'The service has nothing to list');
	const left = [...records];
	for (const { json } of items) {
		const fields = Object.entries(json);
		assert.ok(fields.length > 1, `An item without fields: ${JSON.stringify(json)}`);
		const at = left.findIndex((record) => fields.every(([name, value]) => same(value, record[name])));
		assert.ok(at >= 0, `The service has no such record: ${JSON.stringify(json)}`);
		left.splice(at, 1);
	}
	assert.deepEqual(left, []);
}

/** A list that must be what somebody sees who asks the service directly. @param search its key, filled in */
async function lists(visitor: Visitor, search: string, parameters: IDataObject = {}, body: object = {}): Promise<Run> {
	const records = await visitor.list(search, body);
	const all = search.startsWith('GET ') ? {} : { returnAll: true };
	return { parameters: { ...visitor.scoped, ...all, ...parameters }, items: records.length, expect: (items) => areRecords(items, records) };
}

/** A record that must be what somebody sees who asks the service directly. */
async function shows(visitor: Visitor, key: string, parameters: IDataObject = {}): Promise<Run> {
	const data = await visitor.ask(key);
	const records = z.array(z.record(z.unknown())).parse([data].flat());
	return { parameters: { ...visitor.scoped, ...parameters }, items: records.length, expect: (items) => areRecords(items, records) };
}

/** An export; its file is as long as what the service sent. @param rows how many records it holds */
function file({ service }: Visitor, key: string, fileName: string, rows: number, parameters: IDataObject, search?: string): Run {
	return {
		parameters,
		items: 1,
		rows,
		requests: [...(search ? [search] : []), key],
		expect: (items) => {
			const sent = the(service.requests(key).at(-1));
			assert.ok(sent.bytesSent > 0);
			assert.deepEqual(items[0]?.json, { fileName, mimeType: 'text/csv', bytes: sent.bytesSent });
		},
	};
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const METADATA: InputFile = {
	fileName: 'metadata.xml',
	mimeType: 'application/xml',
	content: Buffer.from('<?xml version="1.0"?><EntityDescriptor entityID="https://idp.example/ü"/>'),
};
const LOGO: InputFile = { fileName: 'logo.png', mimeType: 'image/png', content: Buffer.from('89504e470d0a1a0a00', 'hex') };

const secret = (given: string[], shown: (items: Item[]) => string[] = () => []) => ({ given, secrets: (items: Item[]) => [...given, ...shown(items)] });

const SESSION = 'chat-session-4711';
const accessToken = (items: Item[]) => [only(items, { accessToken: isWord }).accessToken];

of('Account', {
	login: ({ state }) => ({
		parameters: { ...state.login, bypassSaml: true },
		items: 1,
		expect: (items) => only(items, { accessToken: isWord, tokenType: z.literal('Bearer') }),
		...secret([state.login.password], accessToken),
	}),
	logout: () => ({ parameters: {}, items: 1, expect: (items) => assert.deepEqual(items[0]?.json, { success: true, signedOut: true }) }),
	getAgentLoginUrl: (visitor) => ({
		parameters: { sessionId: SESSION },
		items: 1,
		requests: agentAuth(visitor, 'login-url'),
		expect: (items) => only(items, { redirectUrl: isAddress }),
		...secret([SESSION], (items) => [codeOf(only(items, { redirectUrl: isAddress }).redirectUrl)]),
	}),
	exchangeAgentCode: async (visitor) => {
		const authCode = codeOf(await visitor.askFor('redirectUrl', `POST ${visitor.names.agentAuthPath}/login-url`, { sessionId: 'session' }));
		return {
			parameters: { authCode },
			items: 1,
			requests: agentAuth(visitor, 'token'),
			expect: (items) => only(items, { accessToken: isWord, tokenType: z.literal('Bearer') }),
			...secret([authCode], accessToken),
		};
	},
	checkAccess: ({ service, state }) => ({
		parameters: {},
		items: service.routes.length,
		requests: ['GET /api/enrollments/form-details'],
		expect: (items) => {
			const { companyResourceId, companyName } = state.reseller;
			for (const { json } of items) {
				const { node, operation, permission, ...rest } = json;
				assert.deepEqual(rest, { allowed: true, role: 'Reseller', companyResourceId, companyName });
				assert.ok(node && operation);
				assert.match(String(permission), /^[\w/{}-]+\|(GET|POST|PUT|DELETE)$/);
			}
			const permissions = items.map(({ json }) => json.permission);
			assert.deepEqual(permissions.sort(), service.routes.map((key) => key.replace(/^(\w+) \/api\/(.*)$/, '$2|$1')).sort());
		},
	}),
});

/** The other personality has these operations at other addresses, where they are looked for after the contract's. */
const agentAuth = ({ names }: Visitor, name: string) => [...(names.agentAuthPath.includes('/v2/') ? [] : ['unknown']), `POST /api/v2/agent-auth/${name}`];
const codeOf = (address: string) => the(new URL(address).searchParams.get('authCode'));

const generated = z.object({ clientId: isWord, clientSecret: isWord });
const newClient = async (visitor: Visitor) => ({
	credentials: generated.parse(await visitor.ask('GET /api/companies/clients/generate-client-credentials')),
	roles: [the((await visitor.list('GET /api/roles'))[0]).resourceId].map(String),
});

const clientById = async (visitor: Visitor): Promise<{ id: string; parameters: IDataObject }> => {
	const { credentials, roles } = await newClient(visitor);
	const body = { name: 'Old', ...credentials, statusId: 1, roleResourceIdList: roles };
	const id = await visitor.askFor('resourceId', 'POST /api/companies/clients', body);
	return { id, parameters: { ...visitor.scoped, apiClient: byId(id) } };
};

of('ApiClient', {
	generateCredentials: (visitor) => ({
		parameters: visitor.scoped,
		items: 1,
		expect: (items) => only(items, { clientId: isWord, clientSecret: isWord }),
		...secret([], (items) => [only(items, { clientSecret: isWord }).clientSecret]),
	}),
	create: async (visitor) => {
		const { credentials, roles } = await newClient(visitor);
		const restricted = { hasIpAddressRestriction: true, allowedIpAddresses: '203.0.113.7, 2001:db8::/32' };
		return {
			parameters: { ...visitor.scoped, ...credentials, name: 'n8n', roles, ...restricted },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				const created = the(visitor.holdings.clients.find((client) => client.resourceId === resourceId));
				const { name, statusId, allowedIpAddresses, roleResourceIdList } = created;
				assert.deepEqual({ name, statusId, allowedIpAddresses, roleResourceIdList }, { name: 'n8n', statusId: 1, allowedIpAddresses: ['203.0.113.7', '2001:db8::/32'], roleResourceIdList: roles });
				assert.equal(created.clientSecret, credentials.clientSecret);
			},
			...secret([credentials.clientSecret]),
		};
	},
	getMany: async (visitor) => await lists(visitor, 'POST /api/companies/clients/search'),
	get: async (visitor) => {
		const { id, parameters } = await clientById(visitor);
		return await shows(visitor, `GET /api/companies/clients/${id}`, parameters);
	},
	update: async (visitor) => {
		const { id, parameters } = await clientById(visitor);
		const { credentials, roles } = await newClient(visitor);
		return {
			parameters: { ...parameters, ...credentials, name: 'New', roles },
			items: 1,
			expect: () => {
				const client = the(visitor.holdings.clients.find(({ resourceId }) => resourceId === id));
				assert.deepEqual([client.name, client.clientSecret], ['New', credentials.clientSecret]);
			},
			...secret([credentials.clientSecret]),
		};
	},
	delete: async (visitor) => {
		const { id, parameters } = await clientById(visitor);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				assert.deepEqual(items[0]?.json, { deleted: true });
				assert.ok(!visitor.holdings.clients.some(({ resourceId }) => resourceId === id));
			},
		};
	},
	provision: async (visitor) => ({
		parameters: { ...visitor.scoped, name: 'Provisioned', roles: (await newClient(visitor)).roles },
		items: 1,
		requests: ['GET /api/companies/clients/generate-client-credentials', 'POST /api/companies/clients'],
		expect: (items) => {
			const { resourceId, clientId, clientSecret } = only(items, { resourceId: isWord, clientId: isWord, clientSecret: isWord });
			const client = the(visitor.holdings.clients.find((each) => each.resourceId === resourceId));
			assert.deepEqual([client.name, client.clientId, client.clientSecret], ['Provisioned', clientId, clientSecret]);
		},
		...secret([], (items) => [only(items, { clientSecret: isWord }).clientSecret]),
	}),
});

/** Companies as items of their own: each names its parent. */
const flat = (companies: readonly Company[], parent: object = {}): Row[] =>
	companies.flatMap(({ children, ...own }) => [{ ...own, ...parent }, ...flat(children, { parentCompanyResourceId: own.companyResourceId })]);

of('Company', {
	getMany: ({ state }) => ({
		parameters: { returnAll: true },
		items: state.companies.length,
		expect: (items) => areRecords(items, flat(state.tree)),
	}),
	get: async (visitor) => await shows(visitor, `GET /api/companies/${visitor.companyId}`, { companyScope: undefined, company: byId(visitor.companyId) }),
	getOwn: ({ state, names }) => ({
		parameters: {},
		// As a list it is the reseller's whole tree.
		items: names.ownCompanyAsList ? 1 + state.companies.length : 1,
		expect: (items) => {
			assert.equal(items[0]?.json.companyResourceId, state.reseller.companyResourceId);
			if (names.ownCompanyAsList) areRecords(items.slice(1), flat(state.tree, { parentCompanyResourceId: state.reseller.companyResourceId }));
		},
	}),
	create: ({ state, company }, asTool) => ({
		parameters: {
			...{ name: 'Neue Bäckerei', country: 'de', licensePeriodType: 'year', numberOfUsers: 25 },
			...{ industry: byId(company.industryResourceId), licenseType: byId(company.licenseTypeResourceId), timeZone: byId('Europe/Berlin') },
			...{ dateFormat: 'dd.MM.yyyy', timeFormat: 'HH:mm', additionalFields: { tags: 'gold, pilot', ...(asTool ? {} : { logo: 'logo' }) } },
		},
		files: { logo: LOGO },
		items: 1,
		expect: (items) => {
			const { resourceId } = only(items, { resourceId: isWord });
			const created = the(state.companies.find(({ companyResourceId }) => companyResourceId === resourceId));
			assert.deepEqual([created.companyName, created.numberOfUsers, created.tags], ['Neue Bäckerei', '25', ['gold', 'pilot']]);
			assert.equal(state.logos[resourceId]?.sha256, asTool ? undefined : sha256(LOGO.content));
		},
	}),
	getTotalActiveUsers: ({ state }) => ({
		parameters: {},
		items: 1,
		requests: ['POST /api/companies/search'],
		expect: (items) =>
			assert.deepEqual(items[0]?.json, {
				totalMonthlyActiveUserCount: state.companies.reduce((sum, { monthlyActiveUserCount }) => sum + monthlyActiveUserCount, 0),
				companyCount: state.companies.length,
				companiesWithoutCount: 0,
			}),
	}),
});
of('Company', { export: (visitor) => file(visitor, 'POST /api/companies/search/export', 'Companies – Überblick.csv', visitor.state.companies.length, {}) }, true);

const groupIs = ({ state }: Visitor, id: unknown, name: string, companies: string[]) => {
	const group = the(state.groups.find(({ resourceId }) => resourceId === id));
	assert.deepEqual([group.name, group.companyResourceIdArray], [name, companies]);
};
const someIds = ({ state }: Visitor) => state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
const aGroup = ({ state }: Visitor) => the(state.groups[1]);

of('CompanyGroup', {
	getAllGroups: async (visitor) => ({ ...(await lists(visitor, 'GET /api/company-groups')), parameters: {} }),
	getMany: async (visitor) => ({ ...(await lists(visitor, 'POST /api/company-groups/search')), parameters: { returnAll: true } }),
	get: async (visitor) => ({
		...(await shows(visitor, `GET /api/company-groups/${aGroup(visitor).resourceId}`)),
		parameters: { companyGroup: byId(aGroup(visitor).resourceId) },
	}),
	create: (visitor) => ({
		parameters: { name: 'Größte', participantsFrom: 'list', participantList: someIds(visitor) },
		items: 1,
		expect: (items) => groupIs(visitor, only(items, { resourceId: isWord }).resourceId, 'Größte', someIds(visitor)),
	}),
	update: (visitor) => ({
		parameters: { companyGroup: byId(aGroup(visitor).resourceId), name: 'Renamed', participantsFrom: 'id', participantIds: someIds(visitor).join(', ') },
		items: 1,
		expect: () => groupIs(visitor, aGroup(visitor).resourceId, 'Renamed', someIds(visitor)),
	}),
	replaceParticipants: (visitor) => {
		const { resourceId, name } = aGroup(visitor);
		return {
			parameters: { companyGroup: byId(resourceId), participantsFrom: 'id', participantIds: someIds(visitor).join(',') },
			items: 1,
			// Afterwards it is read back who is in the group, where a platform tells that.
			requests: ['PUT /api/company-groups/{resourceId}/participants', 'unknown'],
			expect: () => groupIs(visitor, resourceId, name, someIds(visitor)),
		};
	},
});
of('CompanyGroup', { export: (visitor) => file(visitor, 'POST /api/company-groups/search/export', 'company-groups.csv', visitor.state.groups.length, {}) }, true);

const emailSetting = { name: 'Mail', tenantId: 'tenant-1', allowedDomains: ['harbour.example'], type: 2 };
const newEmailSetting = async (visitor: Visitor) => await visitor.askFor('resourceId', 'POST /api/companies/direct-email-settings', emailSetting);

of('DirectEmailSetting', {
	create: (visitor) => ({
		parameters: { ...visitor.scoped, name: 'Direct', provider: 'googleWorkspace', tenantId: 'tenant-1', allowedDomains: 'harbour.example, bakery.example' },
		items: 1,
		expect: (items) => {
			const { resourceId } = only(items, { resourceId: isWord });
			const { name, tenantId, allowedDomains, type } = the(visitor.holdings.emailSettings.find((each) => each.resourceId === resourceId));
			assert.deepEqual({ name, tenantId, allowedDomains, type }, { name: 'Direct', tenantId: 'tenant-1', allowedDomains: ['harbour.example', 'bakery.example'], type: 2 });
		},
	}),
	makeDefault: async (visitor) => ({
		parameters: { ...visitor.scoped, directEmailSettingId: await newEmailSetting(visitor) },
		items: 1,
		expect: (items) => {
			only(items, { success: z.literal(true) });
			assert.deepEqual(visitor.holdings.emailSettings.map(({ isDefault }) => isDefault), [true]);
		},
	}),
	test: async (visitor) => ({
		parameters: {
			...visitor.scoped,
			...{ directEmailSettingId: await newEmailSetting(visitor), provider: 'googleWorkspace', tenantId: 'tenant-1' },
			...{ from: 'info@harbour.example', fromName: 'Info', to: 'nathan@harbour.example', message: 'A test' },
		},
		items: 1,
		expect: (items) => {
			assert.deepEqual(items[0]?.json, { isSent: true, to: 'nathan@harbour.example' });
			assert.deepEqual(visitor.holdings.emailSettings.map(({ testsSent }) => testsSent), [1]);
		},
	}),
});

/** A new enrollment of two groups, with everything that a form can say, and what must have come of it. */
const enrollment = ({ holdings, scoped }: Visitor) => {
	const training = the(holdings.trainings[0]);
	const groups = holdings.targetGroups.slice(0, 2).map(({ resourceId }) => resourceId);
	return {
		parameters: {
			...scoped,
			...{ training: byId(training.trainingId), name: 'Herbst', targetGroups: groups },
			scheduler: { scheduledDate: '2031-03-01T09:00:00', dueDate: '2031-04-01', scheduledTimeZoneId: byId('Europe/Berlin'), useOwnTimeZone: true },
			additionalFields: {
				...{ awardCertificate: true, markedAsTest: true, sendTeamsNotification: true, moreFields: '{"languageCode":"de"}' },
				codedFields: { rows: [{ fieldName: 'deliveryTypeId', value: byId('DeliveryType:2') }] },
			},
		},
		landed: (items: Item[], sendCount: number) => {
			const { id } = only(items, { id: isWord, trainingName: z.literal(training.trainingName) });
			const made = holdings.enrollments.filter(({ name }) => name === 'Herbst');
			assert.deepEqual(made.map((each) => [each.resourceId, each.sendCount]), [[id, sendCount]]);
			const inBerlin = { scheduledDate: '2031-03-01T08:00:00.000Z', dueDate: '2031-03-31T22:00:00.000Z', scheduledTimeZoneId: 'Europe/Berlin' };
			assert.deepEqual(made[0]?.asked.enrollmentScheduler, { ...inBerlin, useOwnTimeZone: true });
			const { deliveryTypeId, languageCode, awardCertificate, targetGroupResourceIds } = the(made[0]).asked;
			assert.deepEqual({ deliveryTypeId, languageCode, awardCertificate, targetGroupResourceIds }, { deliveryTypeId: 2, languageCode: 'de', awardCertificate: true, targetGroupResourceIds: groups });
		},
	};
};
/** A seeded enrollment: 0 is completed and awarded certificates, 1 is under way. */
const enrolled = ({ holdings, scoped }: Visitor, index: number) => {
	const { resourceId } = the(holdings.enrollments[index]);
	return { id: resourceId, parameters: { ...scoped, enrollment: byId(resourceId) } };
};

of('Enrollment', {
	create: (visitor) => {
		const { parameters, landed } = enrollment(visitor);
		return { parameters, items: 1, expect: (items) => landed(items, 0) };
	},
	createAndSend: (visitor) => {
		const { parameters, landed } = enrollment(visitor);
		return {
			parameters,
			items: 1,
			requests: ['POST /api/enrollments', 'POST /api/enrollments/{resourceId}/send'],
			expect: (items) => landed(items, 1),
		};
	},
	get: async (visitor) => {
		const { id, parameters } = enrolled(visitor, 1);
		return await shows(visitor, `GET /api/enrollments/${id}`, parameters);
	},
	getFormDetails: async (visitor) => await shows(visitor, 'GET /api/enrollments/form-details'),
	getMany: async (visitor) => await lists(visitor, 'POST /api/enrollments/search'),
	send: (visitor) => {
		const { id, parameters } = enrolled(visitor, 1);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				assert.deepEqual(items[0]?.json, { resourceId: id });
				assert.equal(visitor.holdings.enrollments.find(({ resourceId }) => resourceId === id)?.sendCount, 2);
			},
		};
	},
});

of('ExecutiveReport', {
	getMany: async (visitor) => await lists(visitor, 'POST /api/executive-report/search', { returnAll: undefined, name: 'Training' }, { name: 'Training' }),
	getWidgetData: async (visitor) => {
		const widgets = (await visitor.list('POST /api/executive-report/search')).slice(1, 3).map(({ resourceId }) => String(resourceId));
		const period = { datePeriod: 'Custom', startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-02-01T00:00:00.000Z' };
		const parameters = { returnAll: undefined, widgets, reportOptions: period };
		return await lists(visitor, 'POST /api/executive-report/get-widget-datas', parameters, { widgetIds: widgets, ...period });
	},
});

const GOOGLE_CODE = '4/0AX4XfWh-code/of google';

of('GoogleOAuth', {
	getConsentUrl: (visitor) => ({
		parameters: visitor.scoped,
		items: 1,
		expect: (items) => assert.equal(new URL(only(items, { consentUrl: isAddress }).consentUrl).searchParams.get('state'), visitor.companyId),
	}),
	complete: (visitor) => ({
		parameters: { ...visitor.scoped, code: GOOGLE_CODE, state: visitor.companyId },
		items: 1,
		expect: (items) => {
			only(items, { resourceId: isWord });
			assert.equal(visitor.holdings.googleCode, GOOGLE_CODE);
		},
		...secret([GOOGLE_CODE]),
	}),
	revoke: async (visitor) => {
		await visitor.ask(`GET /api/googleoauth/callback?Code=old&State=${visitor.companyId}`);
		return {
			parameters: visitor.scoped,
			items: 1,
			expect: (items) => {
				assert.deepEqual(items[0]?.json, { deleted: true });
				assert.equal(visitor.holdings.googleCode, undefined);
			},
		};
	},
});

of(
	'Leaderboard',
	{
		export: (visitor) => file(visitor, 'POST /api/leaderboard/get-all/export', 'Leaderboard Harbour Bakery.csv', visitor.company.targetUserCount, visitor.scoped),
		exportUserTimeline: (visitor) => {
			const { resourceId } = the(visitor.holdings.users[0]);
			const options = { targetUserResourceId: resourceId, startDate: '2020-01-01', endDate: '2031-01-01' };
			const run = file(visitor, 'POST /api/leaderboard/get-user-timeline/export', 'User Timeline Harbour Bakery.csv', 0, { ...visitor.scoped, reportOptions: options });
			// How many events a user has is the service's own affair.
			const { rows: _rows, ...rest } = run;
			return rest;
		},
	},
	true,
);

const FOLDERS = { phishing: 'PhishingCampaign', smishing: 'SmishingCampaign', quishing: 'QuishingCampaign' } as const;
const VERBS = ['opened', 'clicked', 'submitted'] as const;

function ofSimulator(simulator: Simulator): void {
	const node = FOLDERS[simulator];
	const path = `/api/${simulator}-simulator/${simulator}-campaign`;
	const job = `${path}-job-report`;
	const campaigns = ({ holdings }: Visitor) => holdings.campaigns(simulator);
	const jobsOf = (visitor: Visitor) => campaigns(visitor).filter(({ status }) => status !== 'Scheduled').flatMap(({ instanceGroups }) => instanceGroups);
	/** A campaign that was sent twice, and its second run. */
	const aJob = (visitor: Visitor) => {
		const { resourceId } = the(campaigns(visitor)[0]);
		return { id: resourceId, parameters: { ...visitor.scoped, job: byId(`${resourceId}/2`) } };
	};
	const people = `POST ${job}/{searchType}/search/{resourceId}/{instanceGroup}`;
	const summaryOf = `GET ${job}/summary/{resourceId}/{instanceGroup}`;
	const Capital = (verb: string) => verb.charAt(0).toUpperCase() + verb.slice(1);
	/** The people of the chosen run who did something: not those of the campaign's other runs. */
	const whoDid = (verb: string): Prepare => async (visitor) => {
		const { id, parameters } = aJob(visitor);
		return { ...(await lists(visitor, `POST ${job}/${Capital(verb)}/search/${id}/2`, parameters)), requests: [people] };
	};
	/** Everybody that a run was sent to, with what each of them did. */
	const everybody = async (visitor: Visitor, id: string, group: number) => {
		const all = await visitor.list(`POST ${job}/All/search/${id}/${group}`);
		return all.map(({ email, isOpened, isClicked, isSubmitted }) => [email, isOpened, isClicked, isSubmitted]).sort();
	};
	const told = (items: Item[]) => items.map(({ json }) => [json.email, ...VERBS.map((verb) => json[verb])]).sort();

	of(node, {
		getMany: async (visitor) => await lists(visitor, `POST ${path}/search`),
		getManyJobs: async (visitor) => await lists(visitor, `POST ${job}/search`),
		getJobSummary: async (visitor) => {
			const { id, parameters } = aJob(visitor);
			return await shows(visitor, `GET ${job}/summary/${id}/2`, parameters);
		},
		searchJobUsers: async (visitor) => {
			const { id, parameters } = aJob(visitor);
			return await lists(visitor, `POST ${job}/reported/search/${id}/2`, { ...parameters, searchType: 'reported' });
		},
		opened: whoDid('opened'),
		clicked: whoDid('clicked'),
		submitted: whoDid('submitted'),
		fullReport: async (visitor) => {
			const { id, parameters } = aJob(visitor);
			const summary = z.record(z.unknown()).parse(await visitor.ask(`GET ${job}/summary/${id}/2`));
			const expected = await everybody(visitor, id, 2);
			return {
				parameters,
				items: expected.length,
				requests: [summaryOf, people],
				expect: (items) => {
					assert.deepEqual(told(items), expected);
					for (const { json } of items) assert.deepEqual([json.jobResourceId, json.instanceGroup, json.summary_sent], [id, 2, summary.sent]);
				},
			};
		},
		fullReportOfPeriod: async (visitor) => {
			const sent = campaigns(visitor).filter(({ status }) => status !== 'Scheduled');
			const jobs = sent.flatMap(({ resourceId, instanceGroups }) => instanceGroups.map((group) => ({ resourceId, group })));
			const reports = await Promise.all(jobs.map(async ({ resourceId, group }) => await everybody(visitor, resourceId, group)));
			const rows = reports.flat().sort();
			return {
				parameters: { ...visitor.scoped, period: 'custom' },
				items: rows.length,
				requests: [`POST ${job}/search`, ...jobs.flatMap(() => [summaryOf, people])],
				expect: (items) => {
					assert.deepEqual(told(items), rows);
					const ofJobs = new Set(items.map(({ json }) => `${String(json.jobResourceId)}/${String(json.instanceGroup)}`));
					assert.deepEqual([...ofJobs].sort(), jobs.map(({ resourceId, group }) => `${resourceId}/${group}`).sort());
				},
			};
		},
	});
	of(
		node,
		{
			export: (visitor) => file(visitor, `POST ${path}/search/export`, `${simulator}-campaigns.csv`, campaigns(visitor).length, visitor.scoped, `POST ${path}/search`),
			exportJobs: (visitor) => file(visitor, `POST ${job}/search/export`, `${simulator}-jobs.csv`, jobsOf(visitor).length, visitor.scoped, `POST ${job}/search`),
		},
		true,
	);
}
SIMULATORS.forEach(ofSimulator);

of('Role', { getMany: async (visitor) => await lists(visitor, 'GET /api/roles') });

const samlForm = () => {
	const form = new FormData();
	const fields = { Name: 'Okta', IdPSSOTargetUrl: 'https://idp.example/sso', IdPEntityID: 'https://idp.example', StatusId: '1', Domain: 'harbour.example' };
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append('File', new Blob([new Uint8Array(METADATA.content)]), METADATA.fileName);
	return form;
};

of('SamlSetting', {
	create: async (visitor, asTool) => {
		const role = String(the((await visitor.list('GET /api/roles'))[0]).resourceId);
		return {
			parameters: {
				...visitor.scoped,
				...{ name: 'Entra ID', idpEntityId: 'https://idp.example', ssoTargetUrl: 'https://idp.example/sso', domains: 'harbour.example, bakery.example' },
				...(asTool ? { metadataFrom: 'text', metadataXml: METADATA.content.toString() } : { metadataFrom: 'file', metadataFile: 'metadata' }),
				status: '0',
				additionalFields: { defaultRole: byId(role), isDefaultRole: true, fingerprint: 'AB:CD', fingerprintType: '2' },
			},
			files: { metadata: METADATA },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				const { asked, file: uploaded } = the(visitor.holdings.samlSettings.find((each) => each.resourceId === resourceId));
				assert.equal(uploaded.sha256, sha256(METADATA.content));
				const { name, statusId, domain, defaultRoleResourceId, isDefaultRole, idPCertFingerprintTypeId } = asked;
				assert.deepEqual(
					{ name, statusId, domain, defaultRoleResourceId, isDefaultRole, idPCertFingerprintTypeId },
					{ name: 'Entra ID', statusId: 0, domain: ['harbour.example', 'bakery.example'], defaultRoleResourceId: role, isDefaultRole: true, idPCertFingerprintTypeId: 2 },
				);
			},
		};
	},
	get: async (visitor) => {
		const id = await visitor.askFor('resourceId', 'POST /api/companies/saml-settings', samlForm());
		return await shows(visitor, `GET /api/companies/saml-settings/${id}`, { samlSettingId: id });
	},
	getDefault: async (visitor) => await shows(visitor, 'GET /api/companies/saml-settings/default'),
});

/** The seeded integration of the customer. */
const integration = ({ holdings, scoped }: Visitor) => {
	const { resourceId, token } = the(holdings.scim[0]);
	return { id: resourceId, token, parameters: { ...scoped, scimIntegration: byId(resourceId) } };
};

of('ScimIntegration', {
	getFields: async (visitor) => await lists(visitor, 'GET /api/scim/fields'),
	create: async (visitor) => {
		const [one, other] = (await visitor.list('GET /api/scim/fields')).slice(5, 7).map(({ resourceId }) => String(resourceId));
		const group = the(visitor.holdings.targetGroups[0]).resourceId;
		return {
			parameters: {
				...visitor.scoped,
				name: 'Entra ID',
				fieldMappings: { rows: [{ scimField: byId(the(one)), customFieldId: 'custom-1' }] },
				additionalFields: { groupBy: byId(the(other)), targetGroup: byId(group), syncPlatformGroup: true },
			},
			items: 1,
			expect: (items) => {
				const { resourceId, [visitor.names.scimToken]: token } = only(items, { resourceId: isWord });
				const made = the(visitor.holdings.scim.find((each) => each.resourceId === resourceId));
				assert.deepEqual([made.name, made.groupResourceId, made.token], ['Entra ID', group, token]);
				const { fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup } = made.asked;
				assert.deepEqual(
					{ fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup },
					{ fieldMappings: [{ customFieldResourceId: 'custom-1', scimFieldResourceId: one }], groupBySCIMFieldResourceId: other, syncPlatformGroup: true },
				);
			},
			...secret([], (items) => [String(items[0]?.json[visitor.names.scimToken])]),
		};
	},
	getMany: async (visitor) => await lists(visitor, 'POST /api/scim/search'),
	get: async (visitor) => {
		const { id, parameters } = integration(visitor);
		return await shows(visitor, `GET /api/scim/${id}`, parameters);
	},
	update: (visitor) => {
		const { id, parameters } = integration(visitor);
		return {
			parameters: { ...parameters, name: 'Renamed' },
			items: 1,
			expect: (items) => {
				only(items, { resourceId: z.literal(id), name: z.literal('Renamed') });
				assert.deepEqual(visitor.holdings.scim.map(({ name }) => name), ['Renamed']);
			},
		};
	},
	revokeToken: (visitor) => {
		const { id, token, parameters } = integration(visitor);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				const { [visitor.names.scimToken]: shown } = only(items, { resourceId: z.literal(id) });
				const now = the(visitor.holdings.scim[0]);
				assert.deepEqual([now.tokenVersion, now.token], [2, shown]);
				assert.notEqual(shown, token);
			},
			...secret([], (items) => [token, String(items[0]?.json[visitor.names.scimToken])]),
		};
	},
});

of('SystemUser', {
	create: async (visitor) => {
		const user = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+49 30 1234567' };
		const roles = [String(the((await visitor.list('GET /api/roles'))[0]).resourceId)];
		return {
			parameters: { ...visitor.scoped, ...user, additionalFields: { roleResourceIdList: roles, statusId: 1, moreFields: '{"nickname":"Z"}' } },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				assert.deepEqual(
					visitor.holdings.systemUsers.map((each) => [each.resourceId, each.asked]),
					[[resourceId, { ...user, roleResourceIdList: roles, statusId: 1, nickname: 'Z' }]],
				);
			},
		};
	},
});

of('TargetGroup', { getMany: async (visitor) => await lists(visitor, 'POST /api/target-groups/search/current-company') });
of('Training', { getMany: async (visitor) => await lists(visitor, 'POST /api/trainings/search') });

const report = (index: number, key: (id: string) => string, options: IDataObject = {}, body: object = {}): Prepare => async (visitor) => {
	const { id, parameters } = enrolled(visitor, index);
	return await lists(visitor, key(id), { ...parameters, ...options }, body);
};

of('TrainingReport', {
	getSendingReport: report(0, (id) => `POST /api/training-reports/${id}/sending-report/search`),
	getCertificates: report(0, (id) => `POST /api/enrollments/${id}/certificates/search`),
	getReminderMails: report(1, (id) => `POST /api/training-reports/${id}/reminder-mails/search`, { reportOptions: { reportAllPages: true, trainingType: 'Training', showByExamStatus: 'Any' } }),
	getNotifications: report(0, (id) => `POST /api/notifications/${id}/search`, { reportOptions: { status: 'Sent', type: 'Email', companyId: 7 } }, { status: 'Sent', type: 'Email' }),
	getUsers: report(1, (id) => `POST /api/training-reports/${id}/users/search`, { reportOptions: { trainingType: 0 } }),
	getSummary: async (visitor) => {
		const { id, parameters } = enrolled(visitor, 1);
		return await shows(visitor, `GET /api/training-reports/${id}/summary`, parameters);
	},
	getInteractions: async (visitor) => {
		const { id, parameters } = enrolled(visitor, 0);
		const { resourceId } = the(visitor.holdings.users[0]);
		return await shows(visitor, `GET /api/training-reports/${id}/interactions/${resourceId}`, { ...parameters, targetUser: byId(resourceId) });
	},
});
of(
	'TrainingReport',
	{
		exportSendingReport: async (visitor) => {
			const { id, parameters } = enrolled(visitor, 0);
			const search = 'POST /api/training-reports/{enrollmentId}/sending-report/search';
			const rows = await visitor.list(search.replace('{enrollmentId}', id));
			return file(visitor, `${search}/export`, 'sending-report.csv', rows.length, parameters, search);
		},
	},
	true,
);
