// n8n's own scan of community packages as a function: its rules, its file patterns, inline disables ignored; but
// warnings count too, and it runs once more with the newest version of n8n's lint plugin, which the scan lags behind.
// `node test/rules/scan-rules.mjs <folder>` prints what it finds in a folder's sources as JSON.
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { n8nCommunityNodesPlugin as newestPlugin } from '@n8n/eslint-plugin-community-nodes';
import { SOURCE_FILE_PATTERNS, buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

export { SOURCE_FILE_PATTERNS };
export const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

const requireHere = createRequire(import.meta.url);
const requireAsScan = createRequire(requireHere.resolve('@n8n/scan-community-package/scanner/scanner.mjs'));
const glob = requireAsScan('fast-glob');

const { namespace } = newestPlugin.meta;
const pluginIn = (config) => config.plugins?.[namespace];

/** The scan's configuration by the version of its plugin: as pinned there, and with the newest one in its place. */
export async function scanConfigs() {
	const pinned = await buildScanConfig();
	const newest = pinned.map((config) => (pluginIn(config) ? newestPlugin.configs.recommended : config));
	return new Map([
		[pinned.map(pluginIn).find(Boolean).meta.version, pinned],
		[newestPlugin.meta.version, newest],
	]);
}

/** Lints the files of a folder; one result per version of the plugin. */
export async function scanFolder(folder, patterns = SOURCE_FILE_PATTERNS) {
	const cwd = resolve(folder);
	const files = glob.sync(patterns, { cwd, absolute: true, ignore: ['node_modules/**', '**/package-lock.json'] });
	const results = [];
	for (const [plugin, overrideConfig] of await scanConfigs()) {
		const eslint = new ESLint({ cwd, allowInlineConfig: false, overrideConfigFile: true, overrideConfig });
		const reports = await eslint.lintFiles(files);
		results.push({
			plugin,
			files: files.length,
			messages: reports.flatMap(({ filePath, messages }) =>
				messages.map(({ line, severity, ruleId, message }) => ({
					file: relative(cwd, filePath),
					line,
					severity: severity === 2 ? 'error' : 'warning',
					rule: ruleId,
					message,
				})),
			),
		});
	}
	return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	console.log(JSON.stringify(await scanFolder(process.argv[2] ?? '.')));
}
