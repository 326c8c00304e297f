import { relative } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { campaignTrigger } from '../../nodes/CampaignTrigger/trigger';
import { enrollmentTrigger } from '../../nodes/EnrollmentTrigger/trigger';
import type { FieldMap } from '../../nodes/shared/form/field';
import { formOfTrigger } from '../../nodes/shared/polling/fields';
import { loadNode, manifest, packageRoot, sourceOf } from '../../test/n8n-core/package';

/** A trigger, and the nodes whose records it waits for. */
export interface DocumentedTrigger {
	resource: string;
	description: INodeTypeDescription;
	/** Where its codex file is in the repository. */
	codexFile: string;
	form: FieldMap;
	/** What starts a workflow, as n8n's panel says it. */
	events: string[];
	/** The resources of those nodes. */
	of: string[];
}

/** The triggers by their folders: their fields, and the resources of the nodes whose records they wait for. */
const TRIGGERS: Record<string, Pick<DocumentedTrigger, 'form' | 'of'>> = {
	CampaignTrigger: {
		form: formOfTrigger(campaignTrigger),
		of: ['phishingCampaign', 'quishingCampaign', 'smishingCampaign'],
	},
	EnrollmentTrigger: { form: formOfTrigger(enrollmentTrigger), of: ['enrollment'] },
};

/** Describes all triggers of the package. @throws Error for one that is not known here */
export async function documentTriggers(): Promise<DocumentedTrigger[]> {
	const listed = manifest.n8n.nodes.filter((path) => /Trigger\.node\.js$/.test(path));
	return await Promise.all(
		listed.map(async (path) => {
			const folder = path.split('/')[2] ?? '';
			const known = TRIGGERS[folder];
			if (!known) throw new Error(`${folder}: add it to tools/docs/triggers.ts`);
			const options = known.form.triggerOn?.property.options ?? [];
			return {
				...known,
				resource: folder.charAt(0).toLowerCase() + folder.slice(1),
				description: (await loadNode(path)).description,
				codexFile: codexFileOf(path),
				events: options.flatMap((option) => ('action' in option && option.action ? [option.action] : [])),
			};
		}),
	);
}

/** Where the codex file of a node is in the repository. @param listed the node as package.json lists it */
export const codexFileOf = (listed: string) =>
	relative(packageRoot, sourceOf(listed)).replaceAll('\\', '/').replace(/\.ts$/, '.json');
