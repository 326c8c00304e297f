import { z } from 'zod';

import { Problem } from '../../test/real-n8n/problem';

/** What n8n and npm read of package.json; the scan has further rules for it. */
const manifestSchema = z.object({
	name: z.string().regex(/^(@[a-z0-9-]+\/)?n8n-nodes-[a-z0-9-]+$/),
	version: z.string().regex(/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/),
	repository: z.object({ type: z.literal('git'), url: z.string().regex(/^git\+https:\/\/github\.com\/.+\.git$/) }),
	keywords: z
		.array(z.string())
		.refine(
			(words) => words.includes('n8n-community-node-package'),
			'n8n finds packages by n8n-community-node-package',
		),
	files: z.tuple([z.literal('dist')]),
	n8n: z
		.object({
			n8nNodesApiVersion: z.literal(1),
			nodes: z.array(z.string().regex(/^dist\/nodes\/.+\.node\.js$/)).nonempty(),
			credentials: z.array(z.string().regex(/^dist\/credentials\/.+\.credentials\.js$/)).nonempty(),
		})
		.strict(),
	// n8n brings n8n-workflow with it: any version must do, npm need not install one, and no other peer is needed.
	peerDependencies: z.object({ 'n8n-workflow': z.literal('*') }).strict(),
	peerDependenciesMeta: z.object({ 'n8n-workflow': z.object({ optional: z.literal(true) }) }).strict(),
	// What n8n would not install, or npm would install in addition.
	dependencies: z.undefined(),
	optionalDependencies: z.undefined(),
	bundleDependencies: z.undefined(),
	bundledDependencies: z.undefined(),
	overrides: z.undefined(),
	private: z.undefined(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Reads a package.json. @throws Problem when it is not as n8n and npm want it */
export function readManifest(text: string): Manifest {
	const { data, error } = manifestSchema.safeParse(JSON.parse(text));
	if (data) return data;
	throw new Problem(error.issues.map(({ path, message }) => `package.json, ${path.join('.')}: ${message}`).join('\n'));
}
