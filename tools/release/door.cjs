'use strict';

// Stands between a program and the world as a proxy, and answers whatever is asked of any address from one server only: so a
// package can be installed from a registry on this machine by what takes no registry but the public one.
// node door.cjs <the proxy's port> <the server that answers> <file for the certificate of the proxy>
const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const [, , port, target, certificateFile] = process.argv;
const { generateCACertificate, getLocal } = createRequire(require.resolve('./tools/package.json'))('mockttp');

async function main() {
	const https = await generateCACertificate();
	const door = getLocal({ https });
	await door.forAnyRequest().thenForwardTo(target);
	await door.start(Number(port));
	// Last: once it is there, the door is open.
	writeFileSync(certificateFile, https.cert);
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
