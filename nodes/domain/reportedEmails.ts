/**
 * The body field that makes the platform list each reported email separately, instead of in clusters (deployment
 * activity 2).
 */
export const UNCLUSTERED_BODY = { clusteredBy: '' };

/** The known statuses of reported emails (deployment activity 2). Users may enter others. */
export const REPORTED_EMAIL_STATUSES = ['BeingAnalyzed', 'Closed', 'FalsePositive', 'InProgress', 'Open'];
