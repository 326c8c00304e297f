import { uniqBy } from 'lodash';

import { failuresOf, runOperations } from '../../test/e2e/operations';
import { cases } from '../../test/operations/cases';
import type { Part } from '../part';

/** What every change must pass: in the newest n8n, one operation of every node. */
export const smoke: Part = {
	title: 'One operation of every node in the newest n8n',
	run: async ({ stage, cleanups }) => {
		const outcomes = await runOperations(await stage('n8n'), uniqBy(cases, 'node'), [false], cleanups);
		const failures = failuresOf(outcomes);
		return { table: outcomes.map(({ node, operation, status, items }) => ({ node, operation, status, items })), failures };
	},
};
