import { z } from 'zod';

import { Problem } from '../../test/real-n8n/problem';

/** The requirements of n8n and npm for package.json. `npm run scan` checks more rules. */
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
	// n8n provides n8n-workflow. The package must accept any version of it, and npm must not install it. No other peer is allowed.
	peerDependencies: z.object({ 'n8n-workflow': z.literal('*') }).strict(),
	peerDependenciesMeta: z.object({ 'n8n-workflow': z.object({ optional: z.literal(true) }) }).strict(),
	// The package must not have these fields: n8n ignores some of them, and for the others, npm would install more packages.
	dependencies: z.undefined(),
	optionalDependencies: z.undefined(),
	bundleDependencies: z.undefined(),
	bundledDependencies: z.undefined(),
	overrides: z.undefined(),
	private: z.undefined(),
});

/** The checked fields of a package.json. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Parses a package.json. @throws Problem if it doesn't meet the requirements of n8n and npm */
export function readManifest(text: string): Manifest {
	const { data, error } = manifestSchema.safeParse(JSON.parse(text));
	if (data) return data;
	throw new Problem(error.issues.map(({ path, message }) => `package.json, ${path.join('.')}: ${message}`).join('\n'));
}
