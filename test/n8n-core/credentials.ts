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
import type { N8nCore } from './loadCore';
import { createNodeTypes } from './node-types';
import { oAuth2Api } from './oauth2-api';
import { parseCredentialData, parseNodeParameters } from './schemas';

/** Holds one credential, in place of n8n's database. Runs that use the same store share its token. */
export class CredentialStore {
	readonly id = randomUUID();
	readonly name = 'Test credential';

	constructor(public data: ICredentialDataDecryptedObject) {}

	/** The data of the OAuth2 token; undefined before the first token request. */
	get token(): unknown {
		return this.data.oauthTokenData;
	}

	/**
	 * Returns a copy of the data. Like a database, it responds only after a turn of the event loop, so that simultaneous
	 * requests overlap.
	 */
	async read(): Promise<ICredentialDataDecryptedObject> {
		await setImmediate();
		return deepCopy(this.data);
	}

	/** Changes some fields of the data. */
	async update(change: ICredentialDataDecryptedObject): Promise<void> {
		await setImmediate();
		this.data = { ...this.data, ...deepCopy(change) };
	}
}

/**
 * Fields for which n8n ignores the saved value if the credential class hides them. n8n then uses the default value of
 * the class.
 */
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

/** Returns true if the JSON of a credential's data contains an expression. */
const hasExpression = (json: string): boolean => json.includes('"=');

/**
 * The evaluated data of credentials whose saved data contains no expressions, by credential class. Evaluation is slow,
 * and the result is always the same.
 */
const evaluationCaches = new WeakMap<object, Map<string, ICredentialDataDecryptedObject>>();

/** n8n's CredentialsHelper, with a CredentialStore in place of the database. */
export class HarnessCredentialsHelper extends ICredentialsHelper {
	private readonly typesByName: Map<string, ICredentialType>;
	/** Returns the properties of a credential type. Every request needs them, and they never change. */
	private readonly getProperties = memoize((name: string) => this.getCredentialsProperties(name));

	constructor(
		private readonly core: N8nCore,
		private readonly store: CredentialStore,
		types: ICredentialType[],
	) {
		super();
		this.typesByName = new Map([oAuth2Api, ...types].map((type) => [type.name, type]));
	}

	private getType(name: string): ICredentialType {
		const type = this.typesByName.get(name);
		if (!type) throw new UnexpectedError(`Unknown credential type: ${name}`);
		return type;
	}

	override getParentTypes(name: string): string[] {
		const parents = this.getType(name).extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}

	override getCredentialsProperties(name: string): INodeProperties[] {
		const type = this.getType(name);
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
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const savedData = await this.store.read();
		if (raw) return savedData;

		// Expressions that a user saved can depend on anything, so their results are not cached. Expressions of the
		// credential class depend only on the credential, and not on its token.
		const { oauthTokenData, ...dataWithoutToken } = savedData;
		const token: ICredentialDataDecryptedObject = oauthTokenData === undefined ? {} : { oauthTokenData };
		const cache = hasExpression(JSON.stringify(savedData)) ? undefined : this.getEvaluationCache(typeName);
		const cacheKey = `${mode} ${JSON.stringify(dataWithoutToken)}`;
		const cachedData = cache?.get(cacheKey);
		if (cachedData) return { ...deepCopy(cachedData), ...token };

		const completeData = this.applyDefaults(typeName, savedData);
		const decryptedData = hasExpression(JSON.stringify(completeData))
			? this.evaluateExpressions(completeData, additionalData, mode, executeData, resolve)
			: completeData;
		cache?.set(cacheKey, deepCopy(omit(decryptedData, 'oauthTokenData')));
		return decryptedData;
	}

	/** Returns the cache for the class of a credential type; undefined if the type is a plain object. */
	private getEvaluationCache(name: string): Map<string, ICredentialDataDecryptedObject> | undefined {
		const credentialClass = this.getType(name).constructor;
		if (credentialClass === Object) return undefined;
		const cache = evaluationCaches.get(credentialClass) ?? new Map<string, ICredentialDataDecryptedObject>();
		evaluationCaches.set(credentialClass, cache);
		return cache;
	}

	/** Completes saved data with the default values of its type, as n8n does. */
	private applyDefaults(typeName: string, savedData: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		const properties = this.getProperties(typeName);
		const data = { ...savedData };
		for (const { name, type: propertyType } of properties) {
			if (propertyType === 'hidden' && PINNED_FIELDS.includes(name)) delete data[name];
		}
		const completeData = parseCredentialData(
			NodeHelpers.getNodeParameters(properties, parseNodeParameters(data), true, false, null, null),
		);
		if (savedData.oauthTokenData !== undefined) completeData.oauthTokenData = savedData.oauthTokenData;
		return completeData;
	}

	/** Evaluates the expressions in a credential's data. */
	private evaluateExpressions(
		credentialData: ICredentialDataDecryptedObject,
		additionalData: IWorkflowExecuteAdditionalData,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolve?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const additionalKeys = this.core.getAdditionalKeys(additionalData, mode, null);
		const data = parseNodeParameters(credentialData);
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
					additionalKeys,
					executeData,
					false,
					data,
				),
			);
		}
		const workflow = new Workflow({
			nodes: [placeholderNode],
			connections: {},
			active: false,
			nodeTypes: placeholderNodeTypes,
		});
		return parseCredentialData(
			workflow.expression.getComplexParameterValue(
				placeholderNode,
				data,
				mode,
				additionalKeys,
				undefined,
				undefined,
				data,
			),
		);
	}

	override async getCredentials(nodeCredentials: INodeCredentialsDetails, typeName: string): Promise<ICredentials> {
		const credentials = new this.core.Credentials(nodeCredentials, typeName);
		// setData is asynchronous from n8n 2.41 on.
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
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.getType(typeName);
		if (typeof authenticate === 'object') throw new UnexpectedError('The harness knows no generic authentication');
		return authenticate ? await authenticate(credentials, requestOptions) : requestOptions;
	}

	override async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	/**
	 * Runs the pre-authentication of a credential type. n8n 2.41 calls this method and isCredentialUsableByNode. The
	 * installed types are of an older version and have neither, so `override` is missing here.
	 */
	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.getType(typeName);
		return preAuthentication ? parseCredentialData(await preAuthentication.call(helpers, credentials)) : undefined;
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}
}
