'use strict';

// This file is loaded into n8n, npm and similar programs before anything else (node --require). Their standard input is a pipe
// from the script that started them. The pipe closes when that script ends, even if it is killed. Then the programs end, too.
const { isMainThread } = require('node:worker_threads');

// Worker threads load this file, too, and their input closes as soon as they are done.
if (isMainThread) {
	process.stdin.on('close', () => {
		try {
			process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
		} catch {
			// This process doesn't lead a process group, so it is a child of a process that does. It ends with that group.
		}
	});
	process.stdin.resume();
	// Listening to the input must not keep the process alive.
	process.stdin.unref?.();
}
