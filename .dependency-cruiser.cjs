'use strict';

// Which folder may import from which: tools → test → nodes, never back. Checked by `npm run lint`.
const not = (name, comment, from, to) => ({ name, comment, severity: 'error', from: { path: from }, to: { path: to } });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no-circle', comment: 'Files that import each other', severity: 'error', from: {}, to: { circular: true } },
		not('shipped-alone', 'What is shipped needs nothing of the workshop', '^(nodes|credentials)/', '^(test|tools)/'),
		not('tests-not-tools', 'Tests do not use tools', '^test/', '^tools/'),
		not(
			'stand-in-apart',
			'The stand-in service shares no code with the nodes',
			'^test/stand-in/',
			'^(nodes|credentials)/',
		),
		not(
			'transport-alone',
			'The only HTTP client knows nothing of operations',
			'^nodes/shared/transport/',
			'^nodes/(?!shared/transport/)',
		),
		not('shared-no-resource', 'What nodes share knows no node', '^nodes/shared/', '^nodes/(?!shared/)'),
		not(
			'answer-below',
			'How answers are read knows nothing of scope and operations',
			'^nodes/shared/(answer|form)/',
			'^nodes/shared/(scope|operation|polling|campaign)/',
		),
		not(
			'engine-below',
			'The engine knows no campaign and no trigger',
			'^nodes/shared/(scope|operation)/',
			'^nodes/shared/(campaign|polling)/',
		),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)(node_modules|dist)/' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
