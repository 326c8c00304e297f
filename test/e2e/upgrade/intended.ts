/**
 * Workflows of earlier versions that behave differently now, on purpose. They run without a change to what was saved,
 * but their requests, or the number of their items, are now as they should have been.
 */
export const INTENDED: ReadonlyArray<{ workflow: RegExp; why: string }> = [
	{
		workflow: /^(Phishing|Smishing|Quishing)Campaign: (opened|clicked|submitted)\b/,
		why: 'the people of the chosen run alone, from the list of its people: on live deployments the other list is of one person',
	},
	{
		workflow: /^(Phishing|Smishing|Quishing)Campaign: fullReport\b/,
		why: 'everybody that the run was sent to, from the one list that has all they did',
	},
	{
		workflow: /^CompanyGroup: replaceParticipants\b/,
		why: 'it is read back who is in the group afterwards, since some deployments only add',
	},
	{
		workflow: /^(Phishing|Smishing|Quishing)Campaign: exportJobs\b/,
		why: 'sorted by name, as live deployments take it: by the time of creation they refuse it',
	},
	{ workflow: /^Leaderboard: exportUserTimeline\b/, why: 'it has no filter, so no empty one is sent' },
];

/** Why a workflow may do otherwise; undefined where it may not. */
export const intended = (name: string) => INTENDED.find(({ workflow }) => workflow.test(name))?.why;
