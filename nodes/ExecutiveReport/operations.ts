import { executiveReportOperations } from './executiveReportOperations';
import { scheduledReportOperations } from './scheduledReportOperations';

/** The operations of the Executive Report node. The node's properties list their forms in this order. */
export const allExecutiveReportOperations = [...executiveReportOperations, ...scheduledReportOperations];
