import { parseArgs } from 'node:util';
import { startService, type Client } from './index';
import { personality, PERSONALITY_NAMES, type PersonalityName } from './personality';

const HELP = `The stand-in service: a security-awareness platform to play with and to test against.

  --port 3080           where it listens (0 = any free port)
  --host 127.0.0.1      on which address
  --companies 500       how many companies there are
  --latency 0           milliseconds before every answer
  --personality contract  which deployment it acts as: contract, or deployed (as live deployments act)
`;

const OPTIONS = {
	port: { type: 'string', default: '3080' },
	host: { type: 'string', default: '127.0.0.1' },
	companies: { type: 'string', default: '500' },
	latency: { type: 'string', default: '0' },
	personality: { type: 'string', default: 'contract' },
	help: { type: 'boolean', default: false },
} as const;

function number(name: string, value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw new Error(`--${name} must be a whole number, not '${value}'.`);
}

function personalityOf(value: string): PersonalityName {
	const name = PERSONALITY_NAMES.find((entry) => entry === value);
	if (name) return name;
	throw new Error(`--personality must be one of ${PERSONALITY_NAMES.join(', ')}, not '${value}'.`);
}

function introduce(title: string, client: Client): string {
	return `  ${title}\n    Client ID      ${client.clientId}\n    Client Secret  ${client.clientSecret}\n`;
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: OPTIONS });
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	const name = personalityOf(values.personality);
	const service = await startService({
		port: number('port', values.port),
		host: values.host,
		companies: number('companies', values.companies),
		latencyMs: number('latency', values.latency),
		personality: name,
	});
	const { clients, state } = service;
	const login = state.login;
	process.stdout.write(
		[
			`\nThe stand-in service answers at ${service.url}${name === 'contract' ? '' : ` (${name}: header ${personality(name).scopeHeader})`}`,
			`${state.companies.length} companies, ${service.routes.length} operations. Credentials:\n`,
			introduce('Reseller: manages all companies', clients.reseller),
			introduce('Company Admin: its own company only', clients.companyAdmin),
			introduce('Reseller whose IP address is blocked', clients.blocked),
			introduce('Reseller without some permissions', clients.limited),
			`  Interactive sign-in\n    Username       ${login.username}\n    Password       ${login.password}\n`,
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
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(
		busy
			? `${reason}\nAnother program listens there already: choose another port with --port.\n`
			: `${reason}\n\n${HELP}`,
	);
	process.exit(1);
});
