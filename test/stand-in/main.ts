import { parseArgs } from 'node:util';
import { startStandIn, type ClientCredential } from './index';
import { getProfile, PROFILE_NAMES, type ProfileName } from './profile';

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

function parseNumber(name: string, value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw new Error(`--${name} must be a whole number, not '${value}'.`);
}

function parseProfileName(value: string): ProfileName {
	const name = PROFILE_NAMES.find((entry) => entry === value);
	if (name) return name;
	throw new Error(`--personality must be one of ${PROFILE_NAMES.join(', ')}, not '${value}'.`);
}

function formatCredential(title: string, client: ClientCredential): string {
	return `  ${title}\n    Client ID      ${client.clientId}\n    Client Secret  ${client.clientSecret}\n`;
}

/** Starts the stand-in with the options of the command line, and stops it on Ctrl-C. */
async function runStandIn(): Promise<void> {
	const { values } = parseArgs({ options: OPTIONS });
	if (values.help) {
		process.stdout.write(HELP);
		return;
	}
	const profileName = parseProfileName(values.personality);
	const standIn = await startStandIn({
		port: parseNumber('port', values.port),
		host: values.host,
		companyCount: parseNumber('companies', values.companies),
		latencyMs: parseNumber('latency', values.latency),
		profile: profileName,
	});
	const { clients, world } = standIn;
	const login = world.login;
	process.stdout.write(
		[
			`\nThe stand-in service answers at ${standIn.url}${profileName === 'contract' ? '' : ` (${profileName}: header ${getProfile(profileName).companyHeader})`}`,
			`${world.companies.length} companies, ${standIn.routeKeys.length} operations. Credentials:\n`,
			formatCredential('Reseller: manages all companies', clients.reseller),
			formatCredential('Company Admin: its own company only', clients.companyAdmin),
			formatCredential('Reseller whose IP address is blocked', clients.blocked),
			formatCredential('Reseller without some permissions', clients.limited),
			`  Interactive sign-in\n    Username       ${login.username}\n    Password       ${login.password}\n`,
			'Ctrl-C stops it.\n\n',
		].join('\n'),
	);
	let isStopping = false;
	const stopStandIn = () => {
		if (isStopping) return;
		isStopping = true;
		process.stdout.write('Stopping.\n');
		standIn.close().then(() => process.exit(0), reportFailure);
	};
	process.on('SIGINT', stopStandIn);
	process.on('SIGTERM', stopStandIn);
}

/** Prints an error and ends the process with exit code 1. */
function reportFailure(error: unknown): void {
	const isPortInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(
		isPortInUse
			? `${reason}\nAnother program listens there already: choose another port with --port.\n`
			: `${reason}\n\n${HELP}`,
	);
	process.exit(1);
}

runStandIn().catch(reportFailure);
