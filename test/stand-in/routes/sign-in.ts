import { z } from 'zod';
import { check, found, invalid, Refusal, text } from '../envelope';
import { fieldsOf, formBoolean, formInteger } from '../forms';
import { ok, type Call, type Route, type Row } from '../http';
import type { Personality } from '../personality';
import { guid } from '../random';

const login = z.object({ username: text(320), password: text(200), bypassSaml: z.boolean().nullish() }).passthrough();

const account: Route[] = [
	{
		key: 'GET /api/account/logout',
		access: 'open',
		takes: 'nothing',
		write: true,
		handle: () => ({
			...ok({ signedOut: true }),
			headers: { 'set-cookie': 'awareness.session=; Max-Age=0; Path=/; HttpOnly' },
		}),
	},
	{
		key: 'POST /api/account/login',
		access: 'open',
		takes: 'json',
		write: true,
		handle(call) {
			const { username, password } = check(login, call.json);
			const known = call.world.login;
			if (username !== known.username || password !== known.password)
				throw new Refusal(401, ['The username or password is incorrect.']);
			const accessToken = Buffer.from(`session of ${username}`).toString('base64url');
			return {
				...ok({ accessToken, tokenType: 'Bearer', expiresIn: call.options.tokenLifetimeSeconds }),
				headers: { 'set-cookie': 'awareness.session=stand-in; Path=/; HttpOnly' },
			};
		},
	},
];

function agentAuth(personality: Personality): Route[] {
	const common = { access: 'open', takes: 'json', write: true, problems: true } as const;
	return [
		{
			...common,
			key: 'POST /api/v2/agent-auth/login-url',
			paths: [`${personality.agentAuthPath}/login-url`],
			handle(call) {
				const { sessionId } = check(z.object({ sessionId: text(200) }).passthrough(), call.json);
				if (sessionId.startsWith('expired')) throw new Refusal(401, ['The chat session has expired.']);
				const code = call.world.newId('agent code');
				call.world.agentCodes.set(code, { sessionId, used: false });
				return ok({ redirectUrl: `https://agent-chat.example/sign-in?authCode=${code}`, expiresIn: 60 });
			},
		},
		{
			...common,
			key: 'POST /api/v2/agent-auth/token',
			paths: [`${personality.agentAuthPath}/token`],
			handle(call) {
				const { authCode } = check(z.object({ authCode: text(200) }).passthrough(), call.json);
				const issued = call.world.agentCodes.get(authCode);
				if (!issued) throw new Refusal(401, ['The authorization code is not valid.']);
				if (issued.used) throw new Refusal(401, ['The authorization code was used already.']);
				issued.used = true;
				return ok({ accessToken: guid(`agent token ${authCode}`), tokenType: 'Bearer', expiresIn: 3600 });
			},
		},
	];
}

const google: Route[] = [
	{
		key: 'GET /api/googleoauth/authorize',
		access: 'any',
		takes: 'nothing',
		// It begins a sign-in at Google.
		write: true,
		handle(call) {
			const state = call.home.company.companyResourceId;
			return ok(
				`https://accounts.google.example/o/oauth2/v2/auth?response_type=code&client_id=awareness&state=${state}`,
			);
		},
	},
	{
		key: 'GET /api/googleoauth/callback',
		access: 'any',
		takes: 'nothing',
		write: true,
		handle(call) {
			const given = Object.fromEntries(Object.entries(call.query).map(([name, value]) => [name.toLowerCase(), value]));
			const { code } = check(z.object({ code: text(2000), state: text(2000) }), given);
			call.home.googleCode = code;
			return ok({ resourceId: guid(`google ${call.home.company.companyResourceId}`) });
		},
	},
	{
		key: 'DELETE /api/googleoauth/revoke',
		access: 'any',
		takes: 'nothing',
		write: true,
		handle(call) {
			call.home.googleCode = undefined;
			return ok(true);
		},
	},
];

const saml = z
	.object({
		name: text(64),
		idPSSOTargetUrl: text(2000),
		idPEntityID: text(2000),
		statusId: formInteger,
		domain: z.array(text(255)).min(1),
		idPCertFingerprint: z.string().optional(),
		idPCertFingerprintTypeId: formInteger.optional(),
		entityID: z.string().optional(),
		isDefaultRole: formBoolean.optional(),
		defaultRoleResourceId: z.string().optional(),
		isWhiteLabelingAssertion: formBoolean.optional(),
	})
	.passthrough()
	.superRefine((body, context) => {
		if (body.statusId !== 0 && body.statusId !== 1)
			context.addIssue({ code: 'custom', message: 'The StatusId field is not valid: 0 is Inactive, 1 is Active.' });
		const type = body.idPCertFingerprintTypeId;
		if (type !== undefined && type !== 1 && type !== 2) {
			context.addIssue({
				code: 'custom',
				message: 'The IdPCertFingerprintTypeId field is not valid: 1 is SHA1, 2 is SHA256.',
			});
		}
	});

function defaults(call: Call): Row {
	return {
		entityId: `${call.baseUrl}/saml`,
		assertionConsumerServiceUrl: `${call.baseUrl}/saml/acs`,
		metadataUrl: `${call.baseUrl}/saml/metadata`,
	};
}

const samlSettings: Route[] = [
	{
		key: 'POST /api/companies/saml-settings',
		access: 'any',
		takes: 'multipart',
		write: true,
		handle(call) {
			const asked = check(saml, { domain: [], ...fieldsOf(call.form, ['domain']) });
			const part = call.files.find((file) => file.field.toLowerCase() === 'file');
			if (!part || part.bytes === 0) throw invalid('The File field is required.');
			const { field: _field, ...file } = part;
			const resourceId = call.world.newId('saml setting');
			call.home.samlSettings.push({ resourceId, companyResourceId: call.home.company.companyResourceId, asked, file });
			return ok({ resourceId });
		},
	},
	{
		key: 'GET /api/companies/saml-settings/default',
		access: 'any',
		takes: 'nothing',
		handle: (call) => ok(defaults(call)),
	},
	{
		key: 'GET /api/companies/saml-settings/{resourceId}',
		access: 'any',
		takes: 'nothing',
		handle(call) {
			const settings = call.companies.flatMap((company) => call.world.of(company).samlSettings);
			const setting = found(
				settings.find((entry) => entry.resourceId === call.params.resourceId),
				'SAML setting',
			);
			return ok({
				resourceId: setting.resourceId,
				...setting.asked,
				metadataFileName: setting.file.fileName,
				...defaults(call),
			});
		},
	},
];

/** Contract 4.2. */
export function signInRoutes(personality: Personality): Route[] {
	return [...account, ...agentAuth(personality), ...google, ...samlSettings];
}
