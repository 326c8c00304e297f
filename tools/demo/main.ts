import { parseArgs } from 'node:util';

import { groupBy } from 'lodash';

import type { World } from '../../test/stand-in/world';
import { Problem } from '../../test/real-n8n/problem';
import { runStep } from '../../test/real-n8n/steps';
import {
	buildPickerParameters,
	listExamples,
	prepareExample,
	findTrigger,
	type Example,
	type TrialOptions,
} from '../../test/real-n8n/examples';
import { createMailCredential, startMailbox } from '../../test/e2e/examples/mailbox';
import { startDemoServer, type DemoServer } from '../../test/real-n8n/demoServer';
import { startInbox } from '../../test/real-n8n/inbox';
import { ENTRA_APP, startGraph } from '../../test/real-n8n/graphSimulator';
import { PSA_CREDENTIALS, startPsa } from '../../test/real-n8n/psaSimulator';
import { checkDemo, printReport, printRequest } from '../../test/real-n8n/report';
import { runScript, type Script } from '../../test/real-n8n/script';
import {
	OWNER,
	startTestEnvironment,
	PREFERRED_PORT,
	type Cleanups,
	type TestEnvironment,
} from '../../test/real-n8n/testEnvironment';

/** The name of the workflow that the demo shows without `--example`, as in examples/demo.json. */
const TOUR_WORKFLOW_NAME = 'demo';

/** How to start an example by hand, by the type of its trigger. The demo itself runs examples with other triggers. */
const START_INSTRUCTIONS: Record<string, string> = {
	'n8n-nodes-base.formTrigger': 'Press "Execute workflow", fill in the form that opens, and submit it.',
	'n8n-nodes-base.webhook':
		'Press "Execute workflow" and send what the note on the canvas shows to the test URL of the Webhook node.',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'Give the chat model a credential, press "Open chat" and ask something.',
};

const NO_EXECUTIONS_KEPT = 'Press "Execute workflow". n8n keeps nothing of its runs; what it sends is printed here.';

const HELP = `npm run demo                 shows the nodes in a real n8n and leaves it open
npm run demo -- --once       the same, prints what the workflow produced and ends
npm run dev                  the same as the first; what is changed in the sources is in the editor a moment later

  --example N         opens and runs one of the examples (docs/examples) in place of the first tour
  --port N            the port of n8n (usually ${PREFERRED_PORT})
  --service-port N    the port of the stand-in service (usually any free one)`;

const formatTitles = (examples: Example[]): string => examples.map(({ title }) => `  ${title}`).join('\n');

async function runDemo(script: Script): Promise<void> {
	const options = readOptions();
	if (!options) return;
	const examples = await listExamples();
	const selectedName =
		options.example === undefined
			? TOUR_WORKFLOW_NAME
			: examples.find(({ number }) => number === options.example)?.name;
	if (selectedName === undefined) {
		throw new Problem(`There is no example ${options.example}. There are:\n${formatTitles(examples)}`);
	}

	const watchModule = options.watch ? await import('./watch') : undefined;
	const demoServer = await startDemoServer();
	script.cleanups.push(demoServer.close);
	const env = { ...demoServer.n8nSettings, ...watchModule?.RELOAD_SETTINGS };
	const environmentOptions = { ...options, profile: 'deployed', env } as const;
	const { n8n, client, service, secrets } = await startTestEnvironment(environmentOptions, script.cleanups);
	addManagers(service.world);
	const inbox = await startInbox({
		onRequest: (request) => {
			printRequest(request);
			demoServer.addRequest(request);
		},
	});
	script.cleanups.push(inbox.close);
	const urlsBySetting = await startExternalSystems({ client, service }, demoServer, script.cleanups);
	const trialOptions: TrialOptions = {
		folder: n8n.filesFolder,
		inboxUrl: inbox.url,
		pickerParameters: buildPickerParameters(service),
		urlsBySetting,
	};
	demoServer.offerTemplates(client, trialOptions);
	const workflowIdsByName = await runStep('Import the examples', '2 s', async () => {
		const idsByName = new Map<string, string>();
		for (const { name } of [...examples].reverse())
			idsByName.set(name, await client.createWorkflow(await prepareExample(name, trialOptions)));
		return idsByName.set(
			TOUR_WORKFLOW_NAME,
			await client.createWorkflow(await prepareExample(TOUR_WORKFLOW_NAME, trialOptions)),
		);
	});
	const workflowId = workflowIdsByName.get(selectedName) ?? '';
	const workflow = await prepareExample(selectedName, trialOptions);
	const { name, type } = findTrigger(workflow);
	const instruction =
		START_INSTRUCTIONS[type] ?? (workflow.settings?.saveManualExecutions === false ? NO_EXECUTIONS_KEPT : undefined);
	if (instruction === undefined) {
		const execution = await runStep('Run the workflow', '5 to 60 s', () => client.runWorkflow(workflowId, name));
		await printReport(execution, n8n.filesFolder);
		if (selectedName === TOUR_WORKFLOW_NAME) await checkDemo(execution, n8n.filesFolder, service.world.companies);
		if (selectedName === TOUR_WORKFLOW_NAME)
			console.log(`\nNext, npm run demo -- --example N:\n${formatTitles(examples)}`);
	} else if (options.once) console.log(`\nIt was imported, and takes a person to run: ${instruction}`);
	if (options.once) return;

	script.isWaitingForUser = true;
	console.log(`
n8n is open:       ${n8n.url}/workflow/${workflowId}
Log in with        ${OWNER.email}
Password           ${OWNER.password}
Sent messages:     ${demoServer.url}   all emails and chat messages that the workflows send
${instruction === undefined ? '' : `\nTo run it:         ${instruction}\n`}
To try another credential, these are for the stand-in service:
Base URL           ${secrets.serverUrl}
Client ID          ${secrets.clientId}
Client Secret      ${secrets.clientSecret}

The files are in   ${n8n.filesFolder}
Press Ctrl-C to end the demo; the files and this n8n are removed then.`);
	await watchModule?.watchSources(n8n.userFolder, script.cleanups);
	await n8n.endPromise;
	throw new Problem('n8n has ended by itself. Run the demo again; if it goes on, please report it.');
}

/** Makes the first person of each department the manager of the others, so that the manager digest (example 24) has recipients. */
function addManagers(world: World): void {
	for (const { companyResourceId } of world.companies)
		for (const [manager, ...team] of Object.values(
			groupBy(world.getCompanyData(companyResourceId).users, ({ department }) => department),
		))
			for (const { resourceId } of team)
				world.addNote(resourceId, {
					managerFirstName: manager?.firstName,
					managerLastName: manager?.lastName,
					managerEmail: manager?.email,
				});
}

/**
 * Starts simulators of the systems that some examples write to, and saves credentials for them.
 * @returns the URLs, by the name of the example's setting
 */
async function startExternalSystems(
	{ client, service }: Pick<TestEnvironment, 'client' | 'service'>,
	demoServer: DemoServer,
	cleanups: Cleanups,
) {
	const psa = await startPsa(service.world.companies.map(({ companyName }) => companyName ?? ''));
	const graph = await startGraph(() => true);
	const mailbox = await startMailbox(demoServer.addEmail);
	cleanups.push(psa.close, graph.close, async () => Promise.resolve(mailbox.close()));
	await createMailCredential(client, mailbox);
	await client.createCredential('PSA account', 'httpBasicAuth', {
		user: PSA_CREDENTIALS.user,
		password: PSA_CREDENTIALS.password,
	});
	await client.createCredential('Entra app', 'httpBasicAuth', { user: ENTRA_APP.user, password: ENTRA_APP.password });
	return { psaUrl: `${psa.url}/connectwise`, loginUrl: `${graph.url}/login`, graphUrl: `${graph.url}/v1.0` };
}

interface DemoOptions {
	once: boolean;
	watch: boolean;
	example?: number;
	port?: number;
	servicePort?: number;
}

/** Reads the command line. With `--help`, prints the help and returns undefined. @throws Problem if a number is out of range */
function readOptions(): DemoOptions | undefined {
	const parseNumber = (stringOption: string | undefined, name: string, maximum: number) => {
		const value = stringOption === undefined ? undefined : Number(stringOption);
		if (value === undefined || (Number.isInteger(value) && value > 0 && value <= maximum)) return value;
		throw new Problem(`${name} takes a number from 1 to ${maximum}, not "${stringOption}".\n\n${HELP}`);
	};
	const stringOption = { type: 'string' as const };
	const booleanOption = { type: 'boolean' as const, default: false };
	const options = {
		once: booleanOption,
		watch: booleanOption,
		help: booleanOption,
		example: stringOption,
		port: stringOption,
		'service-port': stringOption,
	};
	const { values } = parseArgs({ options });
	if (values.help) {
		console.log(HELP);
		return undefined;
	}
	return {
		once: values.once,
		watch: values.watch,
		example: parseNumber(values.example, '--example', 99),
		port: parseNumber(values.port, '--port', 65_535),
		servicePort: parseNumber(values['service-port'], '--service-port', 65_535),
	};
}

runScript(runDemo);
