import { parseArgs } from 'node:util';

import { Problem } from '../../test/real-n8n/problem';
import { showStep as step } from '../../test/real-n8n/steps';
import {
	choicesOf,
	listExamples,
	readWorkflow,
	triggerOf,
	type Example,
	type Trial,
} from '../../test/real-n8n/examples';
import { startMailbox } from '../../test/e2e/examples/mailbox';
import { startInbox } from '../../test/real-n8n/inbox';
import { ENTRA_APP, startGraph } from '../../test/real-n8n/graph';
import { PSA_KEYS, startPsa } from '../../test/real-n8n/psa';
import { checkDemo, report, reportReceived } from '../../test/real-n8n/report';
import { runScript, type Script } from '../../test/real-n8n/script';
import { OWNER, setStage, USUAL_PORT, type Cleanups, type Stage } from '../../test/real-n8n/stage';

/** The first tour. */
const TOUR = 'demo';

/** What a person does to start an example, where it takes a person; by the kind of its trigger. */
const BY_HAND: Record<string, string> = {
	'n8n-nodes-base.formTrigger': 'Press "Execute workflow", fill in the form that opens, and submit it.',
	'n8n-nodes-base.webhook':
		'Press "Execute workflow" and send what the note on the canvas shows to the test URL of the Webhook node.',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'Give the chat model a credential, press "Open chat" and ask something.',
};

const KEEPS_NOTHING = 'Press "Execute workflow". n8n keeps nothing of its runs; what it sends is printed here.';

const HELP = `npm run demo                 shows the nodes in a real n8n and leaves it open
npm run demo -- --once       the same, prints what the workflow produced and ends
npm run dev                  the same as the first; what is changed in the sources is in the editor a moment later

  --example N         opens and runs one of the examples (docs/examples) in place of the first tour
  --port N            the port of n8n (usually ${USUAL_PORT})
  --service-port N    the port of the stand-in service (usually any free one)`;

const namesOf = (examples: Example[]): string => examples.map(({ title }) => `  ${title}`).join('\n');

async function main(script: Script): Promise<void> {
	const options = readOptions();
	if (!options) return;
	const examples = await listExamples();
	const chosen = options.example === undefined ? TOUR : examples.find(({ number }) => number === options.example)?.name;
	if (chosen === undefined) {
		throw new Problem(`There is no example ${options.example}. There are:\n${namesOf(examples)}`);
	}

	const watching = options.watch ? await import('./watch') : undefined;
	const stage = { ...options, personality: 'deployed', env: watching?.RELOADING ?? {} } as const;
	const { n8n, client, service, secrets } = await setStage(stage, script.cleanups);
	const inbox = await startInbox(reportReceived);
	script.cleanups.push(inbox.close);
	const urls = await startOtherSides({ client, service }, script.cleanups);
	const trial: Trial = { folder: n8n.filesFolder, inboxUrl: inbox.url, choices: choicesOf(service), urls };
	const ids = await step('Import the examples', '2 s', async () => {
		const imported = new Map<string, string>();
		for (const { name } of [...examples].reverse())
			imported.set(name, await client.createWorkflow(await readWorkflow(name, trial)));
		return imported.set(TOUR, await client.createWorkflow(await readWorkflow(TOUR, trial)));
	});
	const workflowId = ids.get(chosen) ?? '';
	const workflow = await readWorkflow(chosen, trial);
	const { name, type } = triggerOf(workflow);
	const byHand = BY_HAND[type] ?? (workflow.settings?.saveManualExecutions === false ? KEEPS_NOTHING : undefined);
	if (byHand === undefined) {
		const execution = await step('Run the workflow', '5 to 60 s', () => client.run(workflowId, name));
		await report(execution, n8n.filesFolder);
		if (chosen === TOUR) await checkDemo(execution, n8n.filesFolder, service.state.companies);
		if (chosen === TOUR) console.log(`\nNext, npm run demo -- --example N:\n${namesOf(examples)}`);
	} else if (options.once) console.log(`\nIt was imported, and takes a person to run: ${byHand}`);
	if (options.once) return;

	script.isOpen = true;
	console.log(`
n8n is open:       ${n8n.url}/workflow/${workflowId}
Log in with        ${OWNER.email}
Password           ${OWNER.password}
${byHand === undefined ? '' : `\nTo run it:         ${byHand}\n`}
To try another credential, these are for the stand-in service:
Base URL           ${secrets.serverUrl}
Client ID          ${secrets.clientId}
Client Secret      ${secrets.clientSecret}

The files are in   ${n8n.filesFolder}
Messages go to     ${inbox.url} and are printed here
Press Ctrl-C to end the demo; the files and this n8n are removed then.`);
	await watching?.watchSources(n8n.userFolder, script.cleanups);
	await n8n.ended;
	throw new Problem('n8n has ended by itself. Run the demo again; if it goes on, please report it.');
}

/** What some examples write to, with the credentials for it. @returns the settings for them */
async function startOtherSides({ client, service }: Pick<Stage, 'client' | 'service'>, cleanups: Cleanups) {
	const psa = await startPsa(service.state.companies.map(({ companyName }) => companyName ?? ''));
	const graph = await startGraph(() => true);
	const mailbox = await startMailbox();
	cleanups.push(psa.close, graph.close, async () => Promise.resolve(mailbox.close()));
	const smtp = { host: '127.0.0.1', port: mailbox.port, secure: false, disableStartTls: true, user: '', password: '' };
	await client.createCredential('SMTP account', 'smtp', smtp);
	await client.createCredential('PSA account', 'httpBasicAuth', { user: PSA_KEYS.user, password: PSA_KEYS.password });
	await client.createCredential('Entra app', 'httpBasicAuth', { user: ENTRA_APP.user, password: ENTRA_APP.password });
	return { psaUrl: `${psa.url}/connectwise`, loginUrl: `${graph.url}/login`, graphUrl: `${graph.url}/v1.0` };
}

interface Options {
	once: boolean;
	watch: boolean;
	example?: number;
	port?: number;
	servicePort?: number;
}

function readOptions(): Options | undefined {
	const number = (text: string | undefined, name: string, most: number) => {
		const value = text === undefined ? undefined : Number(text);
		if (value === undefined || (Number.isInteger(value) && value > 0 && value <= most)) return value;
		throw new Problem(`${name} takes a number from 1 to ${most}, not "${text}".\n\n${HELP}`);
	};
	const text = { type: 'string' as const };
	const flag = { type: 'boolean' as const, default: false };
	const options = { once: flag, watch: flag, help: flag, example: text, port: text, 'service-port': text };
	const { values } = parseArgs({ options });
	if (values.help) {
		console.log(HELP);
		return undefined;
	}
	return {
		once: values.once,
		watch: values.watch,
		example: number(values.example, '--example', 99),
		port: number(values.port, '--port', 65_535),
		servicePort: number(values['service-port'], '--service-port', 65_535),
	};
}

runScript(main);
