import { uniqBy } from 'lodash';

import { NEWEST } from '../../real-n8n/versions';
import { cases } from '../../cases';
import type { Part } from '../part';
import { checkInN8n } from './checkInN8n';

/** The short test that every change must pass. */
export const smoke: Part = {
	title: 'One operation of every node, and both triggers, in the newest n8n',
	run: async (context) => checkInN8n(NEWEST, context, uniqBy(cases, 'node'), ['contract']),
};
