import { parseArgs } from 'node:util';
import { startStandIn, type ClientCredential } from './index';
import { getProfile, PROFILE_NAMES, type ProfileName } from './profile';

const HELP = `The stand-in: a fake security awareness platform for trying and testing the nodes.

  --port 3080         The port. With 0, it uses any free port.
  --host 127.0.0.1    The address on which it listens
  --companies 500     The number of companies
  --latency 0         The delay before each response, in ms
  --profile contract  'contract' follows the contract, 'deployed' follows live deployments.
`;

const OPTIONS = {
	port: { type: 'string', default: '3080' },
	host: { type: 'string', default: '127.0.0.1' },
	companies: { type: 'string', default: '500' },
	latency: { type: 'string', default: '0' },
	profile: { type: 'string', default: 'contract' },
	help: { type: 'boolean', default: false },
} as const;

function parseNumber(name: string, value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw new Error(`--${name} must be a whole number, not '${value}'.`);
}

function parseProfileName(value: string): ProfileName {
	const name = PROFILE_NAMES.find((entry) => entry === value);
	if (name) return name;
	throw new Error(`--profile must be one of ${PROFILE_NAMES.join(', ')}, not '${value}'.`);
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
	const profileName = parseProfileName(values.profile);
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
			`\nThe stand-in runs at ${standIn.url}${profileName === 'contract' ? '' : ` (${profileName}: header ${getProfile(profileName).companyHeader})`}`,
			`${world.companies.length} companies, ${standIn.routeKeys.length} operations. Credentials:\n`,
			formatCredential('Reseller: manages all companies', clients.reseller),
			formatCredential('Company Admin: its own company only', clients.companyAdmin),
			formatCredential('Reseller whose IP address is blocked', clients.blocked),
			formatCredential('Reseller without some permissions', clients.limited),
			`  Interactive sign-in\n    Username       ${login.username}\n    Password       ${login.password}\n`,
			'Press Ctrl-C to stop it.\n\n',
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
