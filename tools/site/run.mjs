// npm run docs: builds the docs site into .cache/site. npm run docs:dev: shows the site in a browser, and your changes at once.
// Works on a fresh clone. VitePress is installed into .tools, beside its configuration.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from '../../test/setup/ensure-installed.mjs';

const folder = fileURLToPath(new URL('.tools', import.meta.url));
ensureInstalled('tools/site/.tools');
const vitepress = `${folder}/node_modules/vitepress/bin/vitepress.js`;
const [command, ...options] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [vitepress, command, folder, ...options], { stdio: 'inherit' });
process.exit(status ?? 1);
