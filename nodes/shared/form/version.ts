import type { INodeProperties } from 'n8n-workflow';

/**
 * The versions of a node. Each workflow keeps the version with which its node was added (`typeVersion`), so whatever would
 * change what a saved workflow sends or outputs belongs to a new version. The node files repeat this list, because n8n's scan
 * reads them as text; a test compares the two.
 */
export const VERSIONS = [1, 1.1] as const;

/** The version of new nodes. */
export const NODE_VERSION: number = VERSIONS[VERSIONS.length - 1] ?? 1;

export type Version = (typeof VERSIONS)[number];

/** The versions that something belongs to: from `since` on, up to, but without, `before`. */
export interface VersionRange {
	since?: Version;
	before?: Version;
}

/** Whether a node's version is in the range. */
export const isInRange = ({ since, before }: VersionRange, version: number) =>
	(since === undefined || version >= since) && (before === undefined || version < before);

/** n8n's condition for a range of versions. n8n reads only the first comparison of a condition. */
function conditionOf({ since, before }: VersionRange) {
	if (before === undefined) return since === undefined ? undefined : { gte: since };
	if (since === undefined) return { lt: before };
	return { between: { from: since, to: Math.max(...VERSIONS.filter((version) => version < before)) } };
}

/** A property with n8n's condition for the versions in which it is shown, besides the conditions it has. */
export function inVersions<P extends Pick<INodeProperties, 'displayOptions'>>(property: P, range: VersionRange): P {
	const condition = conditionOf(range);
	if (!condition) return property;
	const { displayOptions } = property;
	const show = { ...displayOptions?.show, '@version': [{ _cnd: condition }] };
	return { ...property, displayOptions: { ...displayOptions, show } };
}
