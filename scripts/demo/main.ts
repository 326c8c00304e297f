import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { AssignmentCollectionValue, INodeParameters } from 'n8n-workflow';

import { startService } from '../../test/service';
import { N8nClient, type Workflow } from '../n8n/client';
import { installN8n } from '../n8n/install';
import { Problem } from '../n8n/problem';
import { CommandFailed, endAllProcesses, runNpm } from '../n8n/processes';
import { portIsFree, startN8n } from '../n8n/start';
import { showStep as step } from '../n8n/steps';
import { report } from './report';

const ROOT = join(__dirname, '..', '..');
const CREDENTIAL_TYPE = 'securityAwarenessOAuth2Api';
const CREDENTIAL_NAME = 'Security Awareness (Stand-In Service)';
const COMPANIES = 500;
/** Taken when it is free, so that the address is the same every time. */
const USUAL_PORT = 5690;

/** Of this n8n only, which is gone when the demo ends. */
const OWNER = { email: 'demo@example.com', password: 'Demo-Password-1', firstName: 'Dana', lastName: 'Demo' };

const HELP = `npm run demo                 shows the nodes in a real n8n and leaves it open
npm run demo -- --once       the same, prints what the workflow produced and ends

  --port N            the port of n8n (usually ${USUAL_PORT})
  --service-port N    the port of the stand-in service (usually any free one)`;

/** Run last to first when the demo ends, however it ends. */
const cleanups: Array<() => Promise<unknown>> = [];

class Interrupted extends Error {}

/** Once n8n is left open for the person, Ctrl-C is the way to end; before that it cuts the demo short. */
let isOpen = false;

/** Rejects when the person (Ctrl-C), or the system, asks the demo to end; a second time ends it at once. */
const interrupted = new Promise<never>((_, reject) => {
	let asked = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (asked) process.exit(130);
			asked = true;
			reject(new Interrupted());
		});
	}
});

async function main(): Promise<number> {
	const options = readOptions();
	if (!options) return 0;
	await checkPort(options.port, '--port');
	await checkPort(options.servicePort, '--service-port');

	const temporary = await realpath(await mkdtemp(join(tmpdir(), 'security-awareness-demo-')));
	cleanups.push(() => rm(temporary, { recursive: true, force: true }));

	const tarball = await buildAndPack(temporary);
	const installation = await installN8n(step);

	const service = await step(`Start the stand-in service with ${COMPANIES} companies`, '1 s', () =>
		startService({ port: options.servicePort ?? 0, companies: COMPANIES }),
	);
	cleanups.push(() => service.close());

	const n8n = await step('Start n8n with the package in it', '5 to 30 s', async () =>
		startN8n(installation, { port: options.port ?? (await usualPort()), communityPackages: [tarball] }),
	);
	cleanups.push(n8n.stop);

	const client = new N8nClient(n8n.url);
	const { clientId, clientSecret } = service.clients.reseller;
	const data = { serverUrl: service.url, clientId, clientSecret };
	const credential = await step('Create the owner, and a credential that is tested', '2 s', async () => {
		await client.setUpOwner(OWNER);
		const created = await client.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
		const { status, message } = await client.testCredential(created, CREDENTIAL_TYPE, data);
		if (status !== 'OK') throw new Problem(`The test of the credential failed: ${message}`);
		return created;
	});

	const workflow = await readWorkflow(n8n.filesFolder, credential);
	const { workflowId, execution } = await step('Create the workflow and run it', '5 to 15 s', async () => {
		const id = await client.createWorkflow(workflow);
		return { workflowId: id, execution: await client.run(id, 'Start') };
	});
	await report(execution, n8n.filesFolder, service.state.companies);
	if (options.once) return 0;

	isOpen = true;
	console.log(`
n8n is open:       ${n8n.url}/workflow/${workflowId}
Log in with        ${OWNER.email}
Password           ${OWNER.password}

To try another credential, these are for the stand-in service:
Base URL           ${service.url}
Client ID          ${clientId}
Client Secret      ${clientSecret}

The files are in   ${n8n.filesFolder}
Press Ctrl-C to end the demo; the files and this n8n are removed then.`);
	await n8n.ended;
	throw new Problem('n8n has ended by itself. Run the demo again; if it goes on, please report it.');
}

function readOptions(): { once: boolean; port?: number; servicePort?: number } | undefined {
	const port = (text: string | undefined, name: string) => {
		if (text === undefined) return undefined;
		const value = Number(text);
		if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
		throw new Problem(`${name} takes a number from 1 to 65535, not "${text}".`);
	};
	try {
		const { values } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				port: { type: 'string' },
				'service-port': { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		});
		if (values.help) {
			console.log(HELP);
			return undefined;
		}
		return {
			once: values.once,
			port: port(values.port, '--port'),
			servicePort: port(values['service-port'], '--service-port'),
		};
	} catch (error) {
		if (error instanceof Problem || !(error instanceof Error)) throw error;
		throw new Problem(`${error.message}\n\n${HELP}`);
	}
}

/** Asked before anything is installed: nobody should wait for minutes to hear this. */
async function checkPort(port: number | undefined, option: string): Promise<void> {
	if (port === undefined || (await portIsFree(port))) return;
	throw new Problem(
		`Port ${port} is used by another program. Choose another one with ${option}, or leave ${option} out: a free one is found then.`,
	);
}

const usualPort = async (): Promise<number | undefined> => ((await portIsFree(USUAL_PORT)) ? USUAL_PORT : undefined);

/** Builds the package and packs it as it would be published; returns the path of the packed file. */
async function buildAndPack(folder: string): Promise<string> {
	const run = async (logFile: string, ...args: string[]) => {
		try {
			await runNpm(args, { cwd: ROOT, logFile: join(folder, logFile) });
		} catch (error) {
			throw error instanceof CommandFailed ? new Problem(`The package could not be built:\n${error.output}`) : error;
		}
	};
	await step('Build the package', '5 to 20 s', () => run('build.log', 'run', 'build'));
	return await step('Pack it as it would be published', '2 s', async () => {
		const destination = join(folder, 'package');
		await mkdir(destination);
		await run('pack.log', 'pack', '--pack-destination', destination);
		const [tarball] = await readdir(destination);
		if (!tarball) throw new Problem('npm packed the package but no file came out.');
		return join(destination, tarball);
	});
}

/** examples/demo.json, with the credential filled in and the folder that this n8n may write to. */
async function readWorkflow(folder: string, credential: { id: string; name: string }): Promise<Workflow> {
	const workflow = JSON.parse(await readFile(join(ROOT, 'examples', 'demo.json'), 'utf8')) as Workflow;
	for (const node of workflow.nodes) {
		if (node.type.startsWith('n8n-nodes-security-awareness.')) node.credentials = { [CREDENTIAL_TYPE]: credential };
		if (node.name === 'Settings') node.parameters = withValue(node.parameters, 'folder', folder);
	}
	return workflow;
}

/** The parameters of an Edit Fields node with one of its values changed. */
function withValue(parameters: INodeParameters, name: string, value: string): INodeParameters {
	const { assignments } = parameters.assignments as AssignmentCollectionValue;
	const changed = assignments.map((assignment) => (assignment.name === name ? { ...assignment, value } : assignment));
	return { ...parameters, assignments: { assignments: changed } };
}

async function end(): Promise<void> {
	for (const cleanup of cleanups.reverse()) {
		await cleanup().catch((error: Error) => console.error(`While cleaning up: ${error.message}`));
	}
	endAllProcesses();
}

Promise.race([main(), interrupted])
	.catch((error: unknown) => {
		if (error instanceof Interrupted) {
			console.log('\nEnding the demo.');
			return isOpen ? 0 : 130;
		}
		console.error(`\n${error instanceof Problem ? error.message : error instanceof Error ? error.stack : String(error)}`);
		return 1;
	})
	.then(async (status) => {
		await end();
		process.exit(status);
	});
