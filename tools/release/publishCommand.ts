import { Problem } from '../../test/real-n8n/problem';

/** The option with which npm creates the provenance. It works only in a workflow on GitHub. */
const PROVENANCE_OPTION = '--provenance';

/** The options of `npm publish` in the release workflow. */
export interface PublishOptions {
	/** All options. Outside of GitHub, npm accepts them only in a dry run. */
	all: string[];
	/** The options that also work outside of GitHub. */
	withoutProvenance: string[];
}

/**
 * Reads the options of `npm publish` from the text of the release workflow, so that the check publishes in the same way.
 * @throws Problem if the workflow doesn't publish the packed file, or publishes it without provenance
 */
export function readPublishOptions(workflow: string): PublishOptions {
	const command = /^ *npm publish \.\/release\/\*\.tgz (.+)$/m.exec(workflow)?.[1];
	if (command === undefined) throw new Problem('release.yml has no line "npm publish ./release/*.tgz …"');
	const all = command.trim().split(/\s+/);
	if (!all.includes(PROVENANCE_OPTION))
		throw new Problem(`release.yml publishes without ${PROVENANCE_OPTION}, so n8n can't verify the package`);
	return { all, withoutProvenance: all.filter((option) => option !== PROVENANCE_OPTION) };
}

/**
 * Checks that package.json names the repository whose workflow publishes the package. npm compares the two with the provenance,
 * including capital letters, and refuses the package if they differ (npm/cli issue 8036).
 * @param repository the owner and the name, as in GITHUB_REPOSITORY
 * @throws Problem if they differ
 */
export function checkRepository(packageUrl: string, repository: string): void {
	const url = `git+https://github.com/${repository}.git`;
	if (packageUrl !== url) throw new Problem(`package.json, repository.url: ${packageUrl} must be ${url}`);
}
