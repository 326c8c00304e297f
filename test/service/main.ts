import { parseArgs } from 'node:util';
import { startService, type Client } from './index';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '3080' },
		host: { type: 'string', default: '127.0.0.1' },
		companies: { type: 'string', default: '500' },
		latency: { type: 'string', default: '0' },
		variant: { type: 'boolean', default: false },
		'void-former-token': { type: 'boolean', default: false },
	},
});

function introduce(title: string, client: Client): string {
	return `  ${title}\n    Client ID      ${client.clientId}\n    Client Secret  ${client.clientSecret}\n`;
}

async function main(): Promise<void> {
	const service = await startService({
		port: Number(values.port),
		host: values.host,
		companies: Number(values.companies),
		latencyMs: Number(values.latency),
		variant: values.variant,
		newTokenVoidsFormer: values['void-former-token'],
	});
	const { clients, state } = service;
	const login = state.login;
	process.stdout.write(
		[
			`\nThe stand-in service answers at ${service.url}${values.variant ? ' (variant: header X-ACME-Company-Id)' : ''}`,
			`${state.companies.length} companies, ${service.routes.length} operations. Credentials:\n`,
			introduce('Reseller: manages all companies', clients.reseller),
			introduce('Company Admin: its own company only', clients.companyAdmin),
			introduce('Reseller whose IP address is blocked', clients.blocked),
			introduce('Reseller without some permissions', clients.limited),
			`  Interactive sign-in\n    Username       ${login.username}\n    Password       ${login.password}\n`,
			`Steer it under ${service.url}/__control (fault, clear-faults, reset, expire-tokens, log, clear-log, state, options).`,
			'Ctrl-C stops it.\n\n',
		].join('\n'),
	);
	let stopping = false;
	const stop = () => {
		if (stopping) return;
		stopping = true;
		process.stdout.write('Stopping.\n');
		void service.close().then(() => process.exit(0));
	};
	process.on('SIGINT', stop);
	process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
	const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
	process.stderr.write(busy ? `Port ${values.port} is in use. Choose another with --port.\n` : `The stand-in service could not start: ${String(error)}\n`);
	process.exit(1);
});
