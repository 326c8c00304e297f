'use strict';

// Loaded into n8n before anything else (node --require). Its standard input is a pipe from the script that started it;
// the pipe closes however that script ends, also when it is killed outright. Then n8n and its helpers end as well.
const { isMainThread } = require('node:worker_threads');

// n8n's worker threads load this file too, and their input closes whenever they are done.
if (isMainThread) {
	process.stdin.on('close', () => process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL'));
	process.stdin.resume();
}
