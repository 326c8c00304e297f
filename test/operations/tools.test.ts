/**
 * Every operation as an AI agent's tool, by n8n's own invocation: every value of the form is given by the agent, as
 * text. PRINT=1 npx jest test/operations/tools prints what each was given and answered.
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { runTool } from '../harness';
import { cases } from './cases';
import { ground, PERSONALITIES } from './ground';

interface Given {
	parameters: IDataObject;
	toolArguments: Record<string, string>;
}

const isRecord = (value: unknown): value is IDataObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same parameters, each to be filled in by the agent, and what it fills in: a text, whatever it stands for. */
function byAgent(parameters: IDataObject, path: string[] = []): Given {
	const toolArguments: Record<string, string> = {};
	const fill = (name: string, value: unknown): IDataObject | string | IDataObject[] | undefined => {
		if (value === undefined) return undefined;
		const key = [...path, name].join('_');
		if (Array.isArray(value) && value.every(isRecord)) {
			const rows = value.map((row, index) => byAgent(row, [...path, name, String(index)]));
			for (const row of rows) Object.assign(toolArguments, row.toolArguments);
			return rows.map((row) => row.parameters);
		}
		if (isRecord(value)) {
			const { __rl, mode, ...rest } = value;
			const inner = byAgent(rest, [...path, name]);
			Object.assign(toolArguments, inner.toolArguments);
			return { ...(__rl === true ? { __rl, mode } : {}), ...inner.parameters };
		}
		toolArguments[key] = Array.isArray(value) ? value.join(', ') : String(value);
		return `={{ $fromAI('${key}', 'What to use', 'string') }}`;
	};
	return { parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, fill(name, value)])), toolArguments };
}

const answered = z.array(z.record(z.unknown()));
const printed: string[] = [];
afterAll(() => {
	if (!process.env.PRINT) return;
	process.stdout.write(`${['| Node | Operation | Names | Given as text | Items | Answer |', '|---|---|---|---|---|---|', ...printed].join('\n')}\n`);
});

describe.each(PERSONALITIES)('$named', ({ variant, named }) => {
	const g = ground(variant);

	test.each(cases)('$node: $operation', async ({ node, operation, isFile, prepare }) => {
		const run = await prepare(g.visitor, true);
		const { options } = g.node(node).description.properties.some(({ name }) => name === 'options') ? { options: { timeout: 60 } } : { options: undefined };
		const { parameters, toolArguments } = byAgent({ ...run.parameters, options });
		g.service.clearLog();
		const text = await runTool({ node: g.node(node), parameters: { operation, ...parameters }, credential: g.credential, toolArguments });

		const items = answered.parse(JSON.parse(text)).map((json) => ({ json }));
		run.expect(items.map(({ json }) => ({ json: JSON.parse(JSON.stringify(json)) })));
		expect(items).toHaveLength(run.items);
		if (isFile) expect(Object.keys(items[0]?.json ?? {})).toEqual(['fileName', 'mimeType', 'bytes']);
		expect(g.asked.filter(({ route, status }) => route !== 'unknown' && status >= 300)).toEqual([]);
		printed.push(`| ${[node, operation, named, Object.keys(toolArguments).length, items.length, `${text.slice(0, 60).replaceAll('|', '\\|')}…`].join(' | ')} |`);
	});
});
