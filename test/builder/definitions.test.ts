/**
 * n8n 2.x lets an AI build workflows from the definitions that n8n makes of the nodes' descriptions. Its generator merges
 * fields, and drops what it does not know: every field of every operation must come through.
 */
import { loadNode, manifest } from '../n8n-core/package';
import { definitionOf, readDefinition } from './definitions';
import { compare } from './pairs';

const NODES = manifest.n8n.nodes.map((listed): [string, string] => [listed.split('/')[2] ?? '', listed]);

const described = async (listed: string) => (await loadNode(listed)).description;

test.each(NODES)('%s: an AI is told of every field of every operation as it is', async (_folder, listed) => {
	const description = await described(listed);
	const { pairs, told, findings } = compare(description, readDefinition(definitionOf(description)));
	expect(findings).toEqual([]);
	expect(told).toBe(pairs);
});

test('what gets lost is found: without a visible resource the operations are told as one', async () => {
	const description = await described('dist/nodes/Enrollment/SecurityAwarenessEnrollment.node.js');
	const [resource, ...properties] = description.properties;
	if (!resource) throw new Error('There is no resource');
	const hidden = { ...description, properties: [{ ...resource, type: 'hidden' as const }, ...properties] };
	const { told, findings } = compare(hidden, readDefinition(definitionOf(hidden)));
	expect(told).toBe(0);
	expect(findings).toContain('send enrollment is not told');
});

test('what is told wrongly is found: choice, default, condition, description, required mark, operation', async () => {
	const description = await described('dist/nodes/Enrollment/SecurityAwarenessEnrollment.node.js');
	const found = (change: (text: string) => string) =>
		compare(description, readDefinition(change(definitionOf(description)))).findings;
	expect(found((text) => text)).toEqual([]);
	for (const [from, to, finding] of [
		["'all' | 'Survey'", "'all'", /^getMany enrollmentType is 'all' /],
		['@default all', '@default Survey', /^getMany enrollmentType is told as /],
		['show { returnAll: [false] }', 'show { returnAll: [true] }', /^getMany limit is told as /],
		['The name of the enrollment', 'The name', /name is told as The name /],
		["operation: 'send'", "operation: 'sent'", /^There is no operation 'sent'$/],
	] as const) {
		expect(definitionOf(description)).toContain(from);
		expect(found((text) => text.replace(from, to))).toContainEqual(expect.stringMatching(finding));
	}
});
