import { recordedParameters, recordedVersions } from '../e2e/upgrade/records';
import { loadNode, manifest } from '../n8n-core/package';
import { broken } from './parameters';

/** Every node as it is now. */
const descriptions = async () =>
	(await Promise.all(manifest.n8n.nodes.map((listed) => loadNode(listed)))).map(({ description }) => description);

test.each(recordedVersions())('what was saved with version %s finds every parameter as it was', async (version) => {
	expect(broken(recordedParameters(version), await descriptions())).toEqual([]);
});
