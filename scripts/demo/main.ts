import { parseArgs } from 'node:util';

import { Problem } from '../n8n/problem';
import { portIsFree } from '../n8n/start';
import { showStep as step } from '../n8n/steps';
import { report } from './report';
import { runScript, type Script } from './script';
import { OWNER, readWorkflow, setStage, USUAL_PORT } from './stage';

const HELP = `npm run demo                 shows the nodes in a real n8n and leaves it open
npm run demo -- --once       the same, prints what the workflow produced and ends

  --port N            the port of n8n (usually ${USUAL_PORT})
  --service-port N    the port of the stand-in service (usually any free one)`;

async function main(script: Script): Promise<void> {
	const options = readOptions();
	if (!options) return;
	await checkPort(options.port, '--port');
	await checkPort(options.servicePort, '--service-port');

	const { n8n, client, service, credential, secrets } = await setStage(options, script.cleanups);
	const workflow = await readWorkflow(n8n.filesFolder, credential);
	const { workflowId, execution } = await step('Create the workflow and run it', '5 to 15 s', async () => {
		const id = await client.createWorkflow(workflow);
		return { workflowId: id, execution: await client.run(id, 'Start') };
	});
	await report(execution, n8n.filesFolder, service.state.companies);
	if (options.once) return;

	script.isOpen = true;
	console.log(`
n8n is open:       ${n8n.url}/workflow/${workflowId}
Log in with        ${OWNER.email}
Password           ${OWNER.password}

To try another credential, these are for the stand-in service:
Base URL           ${secrets.serverUrl}
Client ID          ${secrets.clientId}
Client Secret      ${secrets.clientSecret}

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

runScript(main);
