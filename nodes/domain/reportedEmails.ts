/** The body field that makes the platform list each reported email separately (deployment activity 2). */
export const UNCLUSTERED = { clusteredBy: '' };

/** The statuses that platforms use for reported emails (deployment activity 2). Users may enter others. */
export const REPORTED_EMAIL_STATUSES = ['BeingAnalyzed', 'Closed', 'FalsePositive', 'InProgress', 'Open'];
