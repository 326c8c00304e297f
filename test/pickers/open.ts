/** Opens lists as the editor does. */
import { NodeApiError, NodeOperationError, type IDataObject } from 'n8n-workflow';
import { callListSearch, callLoadOptions } from '../n8n-core';
import type { OperationFixture } from '../cases/operationFixture';
import type { Entry, Picker } from './table';

export const sorted = (entries: Entry[]) => [...entries].sort((one, other) => one.value.localeCompare(other.value));

/** Opens a list, and turns all its pages. */
export async function open(
	g: OperationFixture,
	{ node, method, several }: Pick<Picker, 'node' | 'method' | 'several'>,
	parameters: IDataObject,
	filter?: string,
): Promise<Entry[]> {
	const options = { node: g.node(node), parameters, credential: g.credential, method };
	if (several) return (await callLoadOptions(options)).map(({ name, value }) => ({ name, value: String(value) }));
	const entries: Entry[] = [];
	for (let paginationToken: unknown, pages = 0; pages < 100; pages++) {
		const token = typeof paginationToken === 'string' ? { paginationToken } : {};
		const page = await callListSearch({ ...options, ...token, ...(filter === undefined ? {} : { filter }) });
		entries.push(...page.results.map(({ name, value }) => ({ name, value: String(value) })));
		paginationToken = page.paginationToken;
		if (paginationToken === undefined) return entries;
	}
	throw new Error('The list has no end');
}

/** What a person is told when a list does not open. */
export async function failureOf(opened: Promise<unknown>): Promise<NodeApiError | NodeOperationError> {
	const thrown: unknown = await opened.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	throw new Error('The list did not end with an error of n8n', { cause: thrown });
}

const printed: string[] = [];

/** Notes what a list begins with. PRINT=1 npx jest test/pickers prints it all. */
export function tell(personality: string, { node, method }: Pick<Picker, 'node' | 'method'>, entries: Entry[]): void {
	const [first] = entries;
	const cells = [
		node,
		method,
		personality,
		String(entries.length),
		first ? (first.value === '' ? first.name : `${first.name} = ${first.value}`) : '',
	];
	printed.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
}

/** The table of what was noted. */
export function print(): void {
	if (process.env.PRINT)
		process.stdout.write(
			`${['| Node | List | Platform | Entries | First entry |', '|---|---|---|---|---|', ...printed].join('\n')}\n`,
		);
}
