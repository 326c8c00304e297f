'use strict';

// Which folder may import from which: tools → test → nodes, never back. Checked by `npm run lint`.
const not = (name, comment, from, to) => ({ name, comment, severity: 'error', from: { path: from }, to: { path: to } });

// The rooms of nodes/shared from top to bottom, as CONTRIBUTING.md lists them; each imports only from those below it.
const ROOMS = ['polling', 'campaign', 'operation', 'scope', 'pickers', 'companies', 'answer', 'form', 'transport'];
const roomOf = (names) => `^nodes/shared/(${names})/`;

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
		not('shared-no-resource', 'What nodes share knows no node', '^nodes/shared/', '^nodes/(?!shared/)'),
		...ROOMS.map((room, place) =>
			not(
				`${room}-below`,
				'A room knows none of those above it',
				roomOf(room),
				roomOf(ROOMS.slice(0, place).join('|')),
			),
		).slice(1),
		not('values-alone', 'What everything uses, uses nothing', '^nodes/shared/values', '^nodes/shared/.+/'),
		not('polling-not-campaign', 'The triggers know no campaign', roomOf('polling'), roomOf('campaign')),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)(node_modules|dist)/' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'test/tsconfig.json' },
	},
};
