// n8n loads this script through NODE_OPTIONS. The first SIGUSR2 starts a CPU profile; the second one writes it to PROFILE_FILE.
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const INTERVAL_MICROSECONDS = 200;
let session;

process.on('SIGUSR2', () => {
	if (session) {
		session.post('Profiler.stop', (_, { profile }) => writeFileSync(process.env.PROFILE_FILE, JSON.stringify(profile)));
		session = undefined;
		return;
	}
	session = new Session();
	session.connect();
	session.post('Profiler.enable');
	session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS });
	session.post('Profiler.start');
});
