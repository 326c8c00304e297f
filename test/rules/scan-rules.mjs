// Runs n8n's own scan of community packages, with the scan's rules and file patterns. Comments with eslint-disable are ignored. Unlike
// n8n's scan, it reports warnings, too, and runs a second time with the newest version of n8n's lint plugin, because the scan pins an older
// one.
// `node test/rules/scan-rules.mjs <folder>` prints the findings in the sources of a folder as JSON.
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { n8nCommunityNodesPlugin as newestPlugin } from '@n8n/eslint-plugin-community-nodes';
import { SOURCE_FILE_PATTERNS, buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

export { SOURCE_FILE_PATTERNS };
export const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

const requireHere = createRequire(import.meta.url);
const requireFromScan = createRequire(requireHere.resolve('@n8n/scan-community-package/scanner/scanner.mjs'));
const glob = requireFromScan('fast-glob');

const { namespace } = newestPlugin.meta;
const getPlugin = (config) => config.plugins?.[namespace];

/** Builds the scan's configurations, by the version of n8n's lint plugin: the version that the scan pins, and the newest one. */
export async function buildScanConfigs() {
	const pinnedConfigs = await buildScanConfig();
	const newestConfigs = pinnedConfigs.map((config) => (getPlugin(config) ? newestPlugin.configs.recommended : config));
	return new Map([
		[pinnedConfigs.map(getPlugin).find(Boolean).meta.version, pinnedConfigs],
		[newestPlugin.meta.version, newestConfigs],
	]);
}

/** Lints the files of a folder. @returns one result per version of the plugin */
export async function scanFolder(folder, patterns = SOURCE_FILE_PATTERNS) {
	const cwd = resolve(folder);
	const files = glob.sync(patterns, { cwd, absolute: true, ignore: ['node_modules/**', '**/package-lock.json'] });
	const results = [];
	for (const [pluginVersion, overrideConfig] of await buildScanConfigs()) {
		const eslint = new ESLint({ cwd, allowInlineConfig: false, overrideConfigFile: true, overrideConfig });
		const reports = await eslint.lintFiles(files);
		results.push({
			pluginVersion,
			fileCount: files.length,
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
