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
import type { N8nCore } from './core';
import { createNodeTypes } from './node-types';
import { oAuth2Api } from './oauth2-api';
import { parseCredentialData, parseNodeParameters } from './shapes';

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
const PINNED_FIELDS = ['authUrl', 'accessTokenUrl', 'grantType', 'authentication', 'usePkce'];

const placeholderNode: INode = {
	id: 'mock',
	name: '',
	type: 'mock',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const placeholderNodeTypes = createNodeTypes({
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
const hasExpression = (json: string): boolean => json.includes('"=');

/** What is long to work out and comes to the same each time: of credentials without expressions of their own. */
const evaluationCaches = new WeakMap<object, Map<string, ICredentialDataDecryptedObject>>();

/** n8n's CredentialsHelper with the stores given in place of the database. */
export class HarnessCredentialsHelper extends ICredentialsHelper {
	private readonly typesByName: Map<string, ICredentialType>;
	/** Asked for with every request, and the same each time. */
	private readonly getProperties = memoize((name: string) => this.getCredentialsProperties(name));

	constructor(
		private readonly core: N8nCore,
		private readonly store: CredentialStore,
		typesByName: ICredentialType[],
	) {
		super();
		this.typesByName = new Map([oAuth2Api, ...typesByName].map((getType) => [getType.name, getType]));
	}

	private getType(name: string): ICredentialType {
		const getType = this.typesByName.get(name);
		if (!getType) throw new UnexpectedError(`Unknown credential type: ${name}`);
		return getType;
	}

	override getParentTypes(name: string): string[] {
		const parents = this.getType(name).extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}

	override getCredentialsProperties(name: string): INodeProperties[] {
		const getType = this.getType(name);
		const getProperties: INodeProperties[] = [];
		for (const parent of getType.extends ?? []) {
			NodeHelpers.mergeNodeProperties(getProperties, this.getCredentialsProperties(parent));
		}
		NodeHelpers.mergeNodeProperties(getProperties, deepCopy(getType.properties));
		return getProperties;
	}

	override async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		getType: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = await this.store.read();
		if (raw) return stored;

		// An expression of a person's own may be about anything; those of the class are about the credential alone, and not
		// about its token.
		const { oauthTokenData, ...storedWithoutToken } = stored;
		const token: ICredentialDataDecryptedObject = oauthTokenData === undefined ? {} : { oauthTokenData };
		const getEvaluationCache = hasExpression(JSON.stringify(stored)) ? undefined : this.getEvaluationCache(getType);
		const key = `${mode} ${JSON.stringify(storedWithoutToken)}`;
		const cachedData = getEvaluationCache?.get(key);
		if (cachedData) return { ...deepCopy(cachedData), ...token };

		const applyDefaults = this.applyDefaults(getType, stored);
		const decrypted = hasExpression(JSON.stringify(applyDefaults))
			? this.evaluateExpressions(applyDefaults, additionalData, mode, executeData, resolve)
			: applyDefaults;
		getEvaluationCache?.set(key, deepCopy(omit(decrypted, 'oauthTokenData')));
		return decrypted;
	}

	/** What credentials of a type without expressions of their own came to, by all that they hold; of a type with a class. */
	private getEvaluationCache(name: string): Map<string, ICredentialDataDecryptedObject> | undefined {
		const getType = this.getType(name).constructor;
		if (getType === Object) return undefined;
		const getEvaluationCache = evaluationCaches.get(getType) ?? new Map<string, ICredentialDataDecryptedObject>();
		evaluationCaches.set(getType, getEvaluationCache);
		return getEvaluationCache;
	}

	/** As n8n completes what is stored. */
	private applyDefaults(getType: string, stored: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const getProperties = this.getProperties(getType);
		const own = { ...stored };
		for (const { name, type: kind } of getProperties) {
			if (kind === 'hidden' && PINNED_FIELDS.includes(name)) delete own[name];
		}
		return {
			...parseCredentialData(NodeHelpers.getNodeParameters(getProperties, parseNodeParameters(own), true, false, null, null)),
			...(stored.oauthTokenData === undefined ? {} : { oauthTokenData: stored.oauthTokenData }),
		};
	}

	/** The credential's data with the expressions in it evaluated. */
	private evaluateExpressions(
		applyDefaults: ICredentialDataDecryptedObject,
		additionalData: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolve?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const keys = this.core.getAdditionalKeys(additionalData, mode, null);
		const data = parseNodeParameters(applyDefaults);
		if (resolve) {
			return parseCredentialData(
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
		const workflow = new Workflow({ nodes: [placeholderNode], connections: {}, active: false, nodeTypes: placeholderNodeTypes });
		return parseCredentialData(
			workflow.expression.getComplexParameterValue(placeholderNode, data, mode, keys, undefined, undefined, data),
		);
	}

	override async getCredentials(nodeCredentials: INodeCredentialsDetails, getType: string): Promise<ICredentials> {
		const credentials = new this.core.Credentials(nodeCredentials, getType);
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
		getType: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.getType(getType);
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
		getType: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.getType(getType);
		return preAuthentication ? parseCredentialData(await preAuthentication.call(helpers, credentials)) : undefined;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}
}
