'use strict';

// An HTTPS proxy that forwards every request, whatever its address, to one server. So a program that only knows the public
// registry of npm installs from a registry on this machine instead.
// node registryProxy.cjs <the proxy's port> <the address of the server> <the file to write the proxy's certificate to>
const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const [, , port, target, certificateFile] = process.argv;
const { generateCACertificate, getLocal } = createRequire(require.resolve('./.tools/package.json'))('mockttp');

async function main() {
	const https = await generateCACertificate();
	const proxy = getLocal({ https });
	await proxy.forAnyRequest().thenForwardTo(target);
	await proxy.start(Number(port));
	// Written last, because the file shows that the proxy is ready.
	writeFileSync(certificateFile, https.cert);
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
