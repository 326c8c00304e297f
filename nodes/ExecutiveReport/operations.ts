import { executiveReportOperations } from './executiveReportOperations';
import { scheduledReportOperations } from './scheduledReportOperations';

/** The operations of the Executive Report node, in the order of its form fields. */
export const allExecutiveReportOperations = [...executiveReportOperations, ...scheduledReportOperations];
