'use strict';

// This HTTPS proxy forwards every request to one server, whatever the URL of the request is. A program that always uses npm's public
// registry then installs from a registry on this machine.
// node registryProxy.cjs <port of the proxy> <URL of the server> <path for the proxy's certificate>
const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const [, , port, target, certificateFile] = process.argv;
const { generateCACertificate, getLocal } = createRequire(require.resolve('./.tools/package.json'))('mockttp');

async function startProxy() {
	const https = await generateCACertificate();
	const proxy = getLocal({ https });
	await proxy.forAnyRequest().thenForwardTo(target);
	await proxy.start(Number(port));
	// The certificate is written last, because registry.ts waits for this file to know that the proxy is ready.
	writeFileSync(certificateFile, https.cert);
}

startProxy().catch((error) => {
	console.error(error);
	process.exit(1);
});
