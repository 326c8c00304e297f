import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
	Workflow,
	deepCopy,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import memoize from 'lodash/memoize';
import omit from 'lodash/omit';
import type { Core } from './core';
import { nodeTypesOf } from './node-types';
import { oAuth2Api } from './oauth2-api';
import { asCredentialData, asParameters } from './shapes';

/** A credential as it lies in n8n's database. Runs that share a store share its token. */
export class CredentialStore {
	readonly id = randomUUID();
	readonly name = 'Test credential';

	constructor(public data: ICredentialDataDecryptedObject) {}

	get token(): unknown {
		return this.data.oauthTokenData;
	}

	/** Reading takes a turn of the event loop, as a database would, so that simultaneous requests overlap. */
	async read(): Promise<ICredentialDataDecryptedObject> {
		await setImmediate();
		return deepCopy(this.data);
	}

	async update(change: ICredentialDataDecryptedObject): Promise<void> {
		await setImmediate();
		this.data = { ...this.data, ...deepCopy(change) };
	}
}

/** Fields of which n8n takes the class's own value, whatever is stored, when the class hides them. */
const pinnedFields = ['authUrl', 'accessTokenUrl', 'grantType', 'authentication', 'usePkce'];

const mockNode: INode = {
	id: 'mock',
	name: '',
	type: 'mock',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const mockNodeTypes = nodeTypesOf({
	mock: {
		description: {
			displayName: 'Mock',
			name: 'mock',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: [],
			properties: [],
		},
	},
});

/** Whether a credential's data, written as JSON, has an expression in it. */
const hasExpression = (written: string): boolean => written.includes('"=');

/** What is long to work out and comes to the same each time: of credentials without expressions of their own. */
const evaluations = new WeakMap<object, Map<string, ICredentialDataDecryptedObject>>();

/** n8n's CredentialsHelper with the stores given in place of the database. */
export class HarnessCredentialsHelper extends ICredentialsHelper {
	private readonly types: Map<string, ICredentialType>;
	/** Asked for with every request, and the same each time. */
	private readonly properties = memoize((name: string) => this.getCredentialsProperties(name));

	constructor(
		private readonly core: Core,
		private readonly store: CredentialStore,
		types: ICredentialType[],
	) {
		super();
		this.types = new Map([oAuth2Api, ...types].map((type) => [type.name, type]));
	}

	private type(name: string): ICredentialType {
		const type = this.types.get(name);
		if (!type) throw new UnexpectedError(`Unknown credential type: ${name}`);
		return type;
	}

	override getParentTypes(name: string): string[] {
		const parents = this.type(name).extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}

	override getCredentialsProperties(name: string): INodeProperties[] {
		const type = this.type(name);
		const properties: INodeProperties[] = [];
		for (const parent of type.extends ?? []) {
			NodeHelpers.mergeNodeProperties(properties, this.getCredentialsProperties(parent));
		}
		NodeHelpers.mergeNodeProperties(properties, deepCopy(type.properties));
		return properties;
	}

	override async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = await this.store.read();
		if (raw) return stored;

		// An expression of a person's own may be about anything; those of the class are about the credential alone, and not
		// about its token.
		const { oauthTokenData, ...own } = stored;
		const token: ICredentialDataDecryptedObject = oauthTokenData === undefined ? {} : { oauthTokenData };
		const known = hasExpression(JSON.stringify(stored)) ? undefined : this.known(type);
		const key = `${mode} ${JSON.stringify(own)}`;
		const found = known?.get(key);
		if (found) return { ...deepCopy(found), ...token };

		const withDefaults = this.withDefaults(type, stored);
		const decrypted = hasExpression(JSON.stringify(withDefaults))
			? this.evaluated(withDefaults, additionalData, mode, executeData, resolve)
			: withDefaults;
		known?.set(key, deepCopy(omit(decrypted, 'oauthTokenData')));
		return decrypted;
	}

	/** What credentials of a type without expressions of their own came to, by all that they hold; of a type with a class. */
	private known(name: string): Map<string, ICredentialDataDecryptedObject> | undefined {
		const type = this.type(name).constructor;
		if (type === Object) return undefined;
		const known = evaluations.get(type) ?? new Map<string, ICredentialDataDecryptedObject>();
		evaluations.set(type, known);
		return known;
	}

	/** As n8n completes what is stored. */
	private withDefaults(type: string, stored: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const properties = this.properties(type);
		const own = { ...stored };
		for (const { name, type: kind } of properties) {
			if (kind === 'hidden' && pinnedFields.includes(name)) delete own[name];
		}
		return {
			...asCredentialData(NodeHelpers.getNodeParameters(properties, asParameters(own), true, false, null, null)),
			...(stored.oauthTokenData === undefined ? {} : { oauthTokenData: stored.oauthTokenData }),
		};
	}

	/** The credential's data with the expressions in it evaluated. */
	private evaluated(
		withDefaults: ICredentialDataDecryptedObject,
		additionalData: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolve?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const keys = this.core.getAdditionalKeys(additionalData, mode, null);
		const data = asParameters(withDefaults);
		if (resolve) {
			return asCredentialData(
				resolve.workflow.expression.getParameterValue(
					data,
					resolve.runExecutionData,
					resolve.runIndex,
					resolve.itemIndex,
					resolve.node.name,
					resolve.connectionInputData,
					mode,
					keys,
					executeData,
					false,
					data,
				),
			);
		}
		const workflow = new Workflow({ nodes: [mockNode], connections: {}, active: false, nodeTypes: mockNodeTypes });
		return asCredentialData(
			workflow.expression.getComplexParameterValue(mockNode, data, mode, keys, undefined, undefined, data),
		);
	}

	override async getCredentials(nodeCredentials: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const credentials = new this.core.Credentials(nodeCredentials, type);
		// Asynchronous from n8n 2.41 on.
		await Promise.resolve(credentials.setData(await this.store.read()));
		return credentials;
	}

	override async updateCredentials(
		_nodeCredentials: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.store.update(data);
	}

	override async updateCredentialsOauthTokenData(
		_nodeCredentials: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.store.update({ oauthTokenData: data.oauthTokenData ?? {} });
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(type);
		if (typeof authenticate === 'object') throw new UnexpectedError('The harness knows no generic authentication');
		return authenticate ? await authenticate(credentials, requestOptions) : requestOptions;
	}

	override async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	/** Asked for by n8n 2.41, as is the next: unknown to the older version that the types come from. */
	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		type: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.type(type);
		return preAuthentication ? asCredentialData(await preAuthentication.call(helpers, credentials)) : undefined;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}
}
