/** Routes for signing in, for the agent chat and for Google (contract 4.2). */
import { z } from 'zod';
import { parseWithSchema, HttpError, createTextSchema } from '../envelope';
import { defineWriteRoute, okResponse, type RouteCall, type Route } from '../http';
import type { PlatformProfile } from '../profile';
import { makeGuid } from '../random';

const loginSchema = z
	.object({ username: createTextSchema(320), password: createTextSchema(200), bypassSaml: z.boolean().nullish() })
	.passthrough();

const ACCOUNT_ROUTES: Route[] = [
	{
		key: 'GET /api/account/logout',
		access: 'open',
		bodyType: 'nothing',
		isWrite: true,
		handle: () => ({
			...okResponse({ signedOut: true }),
			headers: { 'set-cookie': 'awareness.session=; Max-Age=0; Path=/; HttpOnly' },
		}),
	},
	{
		key: 'POST /api/account/login',
		access: 'open',
		bodyType: 'json',
		isWrite: true,
		handle(call) {
			const { username, password } = parseWithSchema(loginSchema, call.json);
			const validLogin = call.world.login;
			if (username !== validLogin.username || password !== validLogin.password)
				throw new HttpError(401, ['The username or password is incorrect.']);
			const accessToken = Buffer.from(`session of ${username}`).toString('base64url');
			return {
				...okResponse({ accessToken, tokenType: 'Bearer', expiresIn: call.options.tokenLifetimeSeconds }),
				headers: { 'set-cookie': 'awareness.session=stand-in; Path=/; HttpOnly' },
			};
		},
	},
];

function createLoginUrl({ world, json }: RouteCall): unknown {
	const { sessionId } = parseWithSchema(z.object({ sessionId: createTextSchema(200) }).passthrough(), json);
	if (sessionId.startsWith('expired')) throw new HttpError(401, ['The chat session has expired.']);
	const code = world.createId('agent code');
	world.agentCodes.set(code, { sessionId, isUsed: false });
	return { redirectUrl: `https://agent-chat.example/sign-in?authCode=${code}`, expiresIn: 60 };
}

function exchangeAgentCode({ world, json }: RouteCall): unknown {
	const { authCode } = parseWithSchema(z.object({ authCode: createTextSchema(200) }).passthrough(), json);
	const agentCode = world.agentCodes.get(authCode);
	if (!agentCode) throw new HttpError(401, ['The authorization code is not valid.']);
	if (agentCode.isUsed) throw new HttpError(401, ['The authorization code was used already.']);
	agentCode.isUsed = true;
	return { accessToken: makeGuid(`agent token ${authCode}`), tokenType: 'Bearer', expiresIn: 3600 };
}

function completeGoogleSignIn({ query, companyData }: RouteCall): unknown {
	const queryFields = Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
	companyData.googleCode = parseWithSchema(
		z.object({ code: createTextSchema(2000), state: createTextSchema(2000) }),
		queryFields,
	).code;
	return { resourceId: makeGuid(`google ${companyData.company.companyResourceId}`) };
}

const GOOGLE_SIGN_IN_URL = 'https://accounts.google.example/o/oauth2/v2/auth?response_type=code&client_id=awareness';

/** Creates the sign-in routes of contract 4.2. */
export function signInRoutes({ agentAuthPath }: PlatformProfile): Route[] {
	const defineAgentRoute = (name: string, handle: (call: RouteCall) => unknown): Route => ({
		...defineWriteRoute(`POST /api/v2/agent-auth/${name}`, handle),
		access: 'open',
		servedAt: `POST ${agentAuthPath}/${name}`,
		hasProblemDetails: true,
	});
	const withoutBody = { bodyType: 'nothing' } as const;
	return [
		...ACCOUNT_ROUTES,
		defineAgentRoute('login-url', createLoginUrl),
		defineAgentRoute('token', exchangeAgentCode),
		// This request starts a sign-in at Google, so it counts as a write.
		defineWriteRoute(
			'GET /api/googleoauth/authorize',
			({ companyData }) => `${GOOGLE_SIGN_IN_URL}&state=${companyData.company.companyResourceId}`,
			withoutBody,
		),
		defineWriteRoute('GET /api/googleoauth/callback', completeGoogleSignIn, withoutBody),
		defineWriteRoute(
			'DELETE /api/googleoauth/revoke',
			({ companyData }) => {
				companyData.googleCode = undefined;
				return true;
			},
			withoutBody,
		),
	];
}
