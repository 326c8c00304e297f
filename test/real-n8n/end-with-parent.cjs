'use strict';

// Loaded into n8n, npm and similar programs before anything else (node --require). Their standard input is a pipe from
// the script that started them. It closes however that script ends, even if it is killed; then they end as well.
const { isMainThread } = require('node:worker_threads');

// Worker threads load this file too, and their input closes whenever they are done.
if (isMainThread) {
	process.stdin.on('close', () => {
		try {
			process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
		} catch {
			// Not the head of a process group, so a child of such a head: it ends with the group.
		}
	});
	process.stdin.resume();
	// Listening is no reason to stay alive.
	process.stdin.unref?.();
}
