'use strict';

// Which folder may import from which. Checked by `npm run lint`.
const forbid = (name, comment, from, to) => ({
	name,
	comment,
	severity: 'error',
	from: { path: from },
	to: { path: to },
});

// The folders of nodes/core from top to bottom, as CONTRIBUTING.md lists them. Each imports only from those below it.
// `run` and `trigger` stand side by side and don't know each other.
const CORE_FOLDERS = [
	'run|trigger',
	'operation',
	'companyScope',
	'pickers',
	'companies',
	'response',
	'filters',
	'fields',
	'pagination',
	'http',
	'api',
];
const coreFolder = (names) => `^nodes/core/(${names})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no-cycle', comment: 'Files that import each other', severity: 'error', from: {}, to: { circular: true } },
		forbid('shipped-code-alone', 'Shipped code needs no tests and no tools', '^(nodes|credentials)/', '^(test|tools)/'),
		forbid('tests-not-tools', 'Tests use no tools', '^test/', '^tools/'),
		forbid(
			'stand-in-apart',
			'The stand-in service shares no code with the nodes',
			'^test/stand-in/',
			'^(nodes|credentials)/',
		),
		forbid('core-first', 'The core knows no domain and no resource', '^nodes/core/', '^nodes/(?!core/)'),
		forbid('domain-no-resource', 'The domain knows no resource', '^nodes/domain/', '^nodes/(?!(core|domain)/)'),
		{
			name: 'resources-apart',
			comment: 'Resources share through the domain; only Check Access lists all operations',
			severity: 'error',
			from: { path: '^nodes/([A-Z][^/]+)/', pathNot: '^nodes/Account/checkAccess' },
			to: { path: '^nodes/[A-Z]', pathNot: '^nodes/$1/' },
		},
		...CORE_FOLDERS.slice(1).map((folder, index) =>
			forbid(
				`${folder}-imports-downward`,
				'A folder of the core knows none of those above it',
				coreFolder(folder),
				coreFolder(CORE_FOLDERS.slice(0, index + 1).join('|')),
			),
		),
		forbid('run-not-trigger', 'Running knows no polling', coreFolder('run'), coreFolder('trigger')),
		forbid('trigger-not-run', 'Polling knows no running', coreFolder('trigger'), coreFolder('run')),
		forbid('values-alone', 'Functions over values use nothing else', '^nodes/core/values', '^nodes/core/.+/'),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '(^|/)(node_modules|dist|\\.temp)/|\\.timestamp-' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'test/tsconfig.json' },
	},
};
