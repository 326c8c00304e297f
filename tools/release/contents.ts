import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';

import { z } from 'zod';

import { Problem } from '../../test/real-n8n/problem';

/** A packed package, unpacked again. */
export interface Packed {
	tarball: string;
	/** Where it is unpacked. */
	folder: string;
	/** The paths of its files, with slashes. */
	paths: string[];
}

const MEGABYTE = 1e6;
/** Above this, installing is slow and something is in it that does not belong there. */
const MOST = 1.5 * MEGABYTE;

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`;

/** Throws the faults, if there are any, one a line. */
function refuse(faults: string[]): void {
	if (faults.length > 0) throw new Problem(faults.join('\n'));
}

/** How many files there are of each kind; whether they belong there is said by the scan (tools/scan/run.mjs). */
export function listing({ paths }: Packed): string {
	const kinds = new Map<string, number>();
	for (const path of paths) {
		const [top = '', second = '', ...rest] = path.split('/');
		const kind = rest.length > 0 || second ? `${top}/${rest.length > 0 ? `${second}/**` : '*'}${extname(path)}` : path;
		kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
	}
	return [...kinds].map(([kind, count]) => (count === 1 ? kind : `${kind} ×${count}`)).join(', ');
}

/** @throws Problem when the tarball is larger than a node package has reason to be */
export function size({ tarball, folder, paths }: Packed): string {
	const packed = statSync(tarball).size;
	const unpacked = paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
	const said = `${kilobytes(packed)} packed, ${kilobytes(unpacked)} unpacked, ${paths.length} files`;
	if (packed >= MOST) throw new Problem(`${said}: more than ${kilobytes(MOST)} packed`);
	return said;
}

const sourceMap = z.object({ sources: z.array(z.string()), sourcesContent: z.array(z.string().nullable()).optional() });

/** @throws Problem for a script that names a map, or a map that names a source, which the tarball does not have */
export function sourceMaps({ folder, paths }: Packed): string {
	const has = (path: string) => paths.includes(normalize(path).replaceAll('\\', '/'));
	const lost = (path: string): string[] => {
		const text = readFileSync(join(folder, path), 'utf8');
		if (path.endsWith('.map')) {
			const { sources, sourcesContent = [] } = sourceMap.parse(JSON.parse(text));
			return sources.filter((source, at) => !sourcesContent[at] && !has(join(dirname(path), source)));
		}
		const named = /^\/\/[#@] sourceMappingURL=(\S+)/m.exec(text)?.[1] ?? 'data:';
		return named.startsWith('data:') || has(join(dirname(path), named)) ? [] : [named];
	};
	const looked = paths.filter((path) => /\.([cm]?js|map)$/.test(path));
	refuse(looked.flatMap((path) => lost(path).map((name) => `${path} points to ${name}, which is not in the tarball`)));
	return `${looked.filter((path) => path.endsWith('.map')).length} maps; nothing points nowhere`;
}

/** What n8n and npm read of package.json, as they ask for it; the scan has further rules for it. */
const manifestSchema = z.object({
	name: z.string().regex(/^(@[a-z0-9-]+\/)?n8n-nodes-[a-z0-9-]+$/),
	version: z.string().regex(/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/),
	description: z.string().min(20),
	license: z.string(),
	author: z.object({ name: z.string().min(1), email: z.string().email() }),
	homepage: z.string().url(),
	repository: z.object({ type: z.literal('git'), url: z.string().regex(/^git\+https:\/\/github\.com\/.+\.git$/) }),
	keywords: z
		.array(z.string())
		.refine(
			(words) => words.includes('n8n-community-node-package'),
			'needs n8n-community-node-package, by which n8n finds packages',
		),
	files: z.tuple([z.literal('dist')]),
	engines: z.object({ node: z.string() }),
	n8n: z
		.object({
			n8nNodesApiVersion: z.literal(1),
			nodes: z.array(z.string().regex(/^dist\/nodes\/.+\.node\.js$/)).nonempty(),
			credentials: z.array(z.string().regex(/^dist\/credentials\/.+\.credentials\.js$/)).nonempty(),
		})
		.strict(),
	// n8n brings n8n-workflow with it: any version must do, and no other peer is needed.
	peerDependencies: z.object({ 'n8n-workflow': z.literal('*') }).strict(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** What n8n would not install, or npm would install in addition. */
const UNWANTED = [
	'dependencies',
	'optionalDependencies',
	'bundleDependencies',
	'bundledDependencies',
	'overrides',
	'private',
];

/** The tarball's package.json. @throws Problem when it is not as n8n and npm want it */
export function readManifest({ folder, paths }: Packed): Manifest {
	const raw = z.record(z.unknown()).parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
	const parsed = manifestSchema.safeParse(raw);
	const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => `package.json, ${path.join('.')}: ${message}`);
	const unwanted = UNWANTED.filter((name) => raw[name] !== undefined).map(
		(name) => `package.json has "${name}": ${JSON.stringify(raw[name])}`,
	);
	const listed = parsed.success ? [...parsed.data.n8n.nodes, ...parsed.data.n8n.credentials] : [];
	const missing = listed
		.filter((path) => !paths.includes(path))
		.map((path) => `package.json lists ${path}, which is not in the tarball`);
	refuse([...wrong, ...unwanted, ...missing]);
	return manifestSchema.parse(raw);
}

/** @throws Problem when the licence is missing or is another one than package.json says */
export function licence({ folder }: Packed, { license }: Manifest): string {
	const file = join(folder, 'LICENSE');
	if (!existsSync(file)) throw new Problem('The tarball has no LICENSE');
	const [title = ''] = readFileSync(file, 'utf8').split('\n');
	if (title.trim() !== `${license} License`)
		throw new Problem(`package.json says ${license}, LICENSE begins with "${title}"`);
	return title;
}
