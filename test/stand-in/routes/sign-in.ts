/** Signing in, agents and Google (contract 4.2). */
import { z } from 'zod';
import { check, Refusal, text } from '../envelope';
import { changing, ok, type Call, type Route } from '../http';
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

function loginUrl({ world, json }: Call): unknown {
	const { sessionId } = check(z.object({ sessionId: text(200) }).passthrough(), json);
	if (sessionId.startsWith('expired')) throw new Refusal(401, ['The chat session has expired.']);
	const code = world.newId('agent code');
	world.agentCodes.set(code, { sessionId, used: false });
	return { redirectUrl: `https://agent-chat.example/sign-in?authCode=${code}`, expiresIn: 60 };
}

function agentToken({ world, json }: Call): unknown {
	const { authCode } = check(z.object({ authCode: text(200) }).passthrough(), json);
	const issued = world.agentCodes.get(authCode);
	if (!issued) throw new Refusal(401, ['The authorization code is not valid.']);
	if (issued.used) throw new Refusal(401, ['The authorization code was used already.']);
	issued.used = true;
	return { accessToken: guid(`agent token ${authCode}`), tokenType: 'Bearer', expiresIn: 3600 };
}

function finishGoogle({ query, home }: Call): unknown {
	const given = Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value]));
	home.googleCode = check(z.object({ code: text(2000), state: text(2000) }), given).code;
	return { resourceId: guid(`google ${home.company.companyResourceId}`) };
}

const GOOGLE = 'https://accounts.google.example/o/oauth2/v2/auth?response_type=code&client_id=awareness';

export function signInRoutes({ agentAuthPath }: Personality): Route[] {
	const agent = (name: string, act: (call: Call) => unknown): Route => ({
		...changing(`POST /api/v2/agent-auth/${name}`, act),
		access: 'open',
		at: `POST ${agentAuthPath}/${name}`,
		problems: true,
	});
	const google = { takes: 'nothing' } as const;
	return [
		...account,
		agent('login-url', loginUrl),
		agent('token', agentToken),
		// It begins a sign-in at Google.
		changing(
			'GET /api/googleoauth/authorize',
			({ home }) => `${GOOGLE}&state=${home.company.companyResourceId}`,
			google,
		),
		changing('GET /api/googleoauth/callback', finishGoogle, google),
		changing(
			'DELETE /api/googleoauth/revoke',
			({ home }) => {
				home.googleCode = undefined;
				return true;
			},
			google,
		),
	];
}
