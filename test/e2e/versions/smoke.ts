import { uniqBy } from 'lodash';

import { NEWEST_VERSION } from '../../real-n8n/versions';
import { cases } from '../../cases';
import type { TestPart } from '../part';
import { checkInN8n } from './checkInN8n';

/** The short test that every change must pass. */
export const smoke: TestPart = {
	title: 'One operation of every node, and both triggers, in the newest n8n',
	run: async (context) => checkInN8n(NEWEST_VERSION, context, uniqBy(cases, 'node'), ['contract']),
};
