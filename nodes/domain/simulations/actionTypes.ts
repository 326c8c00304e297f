import type { UserAction } from './jobPeople';

/** Recognizes each action by a word in an action type, because no document lists the action types (deployment onboarding 3). */
const ACTION_PATTERNS: ReadonlyArray<[action: UserAction, pattern: RegExp]> = [
	['submitted', /submi/i],
	// In quishing, people scan a QR code instead of clicking a link.
	['clicked', /click|scan/i],
	['opened', /open/i],
	['reported', /report/i],
];

/**
 * Recognizes action types that contain the word of an action and mean something else, such as AttachmentOpened or TrainingClicked. The results
 * of simulations don't show these events.
 */
const OTHER_ACTION_PATTERNS: readonly RegExp[] = [
	// An opened attachment isn't an opened message.
	/attach/i,
	// An entered MFA code isn't submitted data.
	/mfa/i,
	// Such as NoResponse, NotReported and DidNotClick: the person didn't do it.
	/^no/i,
	/not/i,
	// A reported threat is a real email, not one of a simulation.
	/threat/i,
	// Actions in a training.
	/train/i,
	/enrol/i,
	/learn/i,
	/exam/i,
	/survey/i,
];

/** Finds the action that an action type names. It may also be an action outside simulations, such as a click in a training. */
export const findNamedAction = (actionType: string): UserAction | undefined =>
	ACTION_PATTERNS.find(([, pattern]) => pattern.test(actionType))?.[0];

/** Finds the action in simulations that an action type means. @returns undefined if it means something else */
export function findSimulationAction(actionType: string): UserAction | undefined {
	if (OTHER_ACTION_PATTERNS.some((pattern) => pattern.test(actionType))) return undefined;
	return findNamedAction(actionType);
}
