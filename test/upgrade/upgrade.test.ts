import { recordedParameters, recordedVersions } from '../e2e/upgrade/records';
import { loadNode, manifest } from '../n8n-core/package';
import type { INodeProperties } from 'n8n-workflow';
import { broken, recordOf, type Described } from './parameters';

/** Every node as it is now. */
const descriptions = async () =>
	(await Promise.all(manifest.n8n.nodes.map((listed) => loadNode(listed)))).map(({ description }) => description);

test.each(recordedVersions())('what was saved with version %s finds every parameter as it was', async (version) => {
	expect(broken(recordedParameters(version), await descriptions())).toEqual([]);
});

describe('the rule for the numbers that a field takes', () => {
	const described = (typeOptions: INodeProperties['typeOptions']): Described & { name: string } => ({
		...{ name: 'node', version: 1, inputs: [], outputs: [], credentials: [] },
		properties: [
			{ displayName: 'Field', name: 'field', type: 'number', default: 5, ...(typeOptions ? { typeOptions } : {}) },
		],
	});
	const change = (before: INodeProperties['typeOptions'], after: INodeProperties['typeOptions']) =>
		broken(recordOf([described(before)]), [described(after)]);
	const range = { minValue: 1, maxValue: 100 };

	test.each([
		['the same', range],
		['more', { minValue: 0, maxValue: 101 }],
		['whatever', undefined],
	])('takes %s: nothing that was saved is refused', (_what, after) => {
		expect(change(range, after)).toEqual([]);
	});

	test.each([
		['a smaller maximum', range, { minValue: 1, maxValue: 99 }, 'takes nothing above 99 any more'],
		['a greater minimum', range, { minValue: 2, maxValue: 100 }, 'takes nothing below 2 any more'],
		['a maximum where there was none', { minValue: 1 }, range, 'takes nothing above 100 any more'],
		['a minimum where there was none', undefined, { minValue: 0 }, 'takes nothing below 0 any more'],
	])('has %s: refused', (_what, before, after, says) => {
		expect(change(before, after)).toEqual([expect.stringContaining(says)]);
	});
});

test('the record of each version knows which numbers its fields take', () => {
	for (const version of recordedVersions()) {
		const numbers = Object.values(recordedParameters(version)).flatMap(({ parameters }) =>
			parameters.filter(({ type }) => type === 'number'),
		);
		expect(numbers.length).toBeGreaterThan(10);
		expect(numbers.filter(({ least }) => least === undefined)).toEqual([]);
	}
});
