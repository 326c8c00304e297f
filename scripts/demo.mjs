// npm run demo: the package in a real n8n, on a fresh clone too. What it does is in demo/main.ts; this file only makes
// sure that it can be run, with Node's own modules, because nothing else may be there yet.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`The demo needs Node.js 20.19 or newer; this is ${process.versions.node}. Get a newer one from https://nodejs.org.`);
	process.exit(1);
}

await import('./ensure-installed.mjs');
const { require } = await import('tsx/cjs/api');
require('./demo/main.ts', import.meta.url);
