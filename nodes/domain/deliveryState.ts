import { normalizeText } from '../core/values';

/** The delivery states of a message that didn't reach the person (deployment activity 7). */
const UNDELIVERED_STATES = ['Not Delivered', 'Error', 'Canceled', 'Cancelled'];

const normalizeState = (state: string) => normalizeText(state).replaceAll(' ', '');

/** Returns true if a delivery state says that the message didn't reach the person. Any other state, also an unknown one, doesn't say so. */
export const isUndelivered = (state: unknown): boolean =>
	typeof state === 'string' && UNDELIVERED_STATES.map(normalizeState).includes(normalizeState(state));
