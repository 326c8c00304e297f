/**
 * Seeds the data that the stand-in starts with. The values of each record are drawn from its key, so they are always the
 * same.
 */
export * from './records';
export { EPOCH, INDUSTRIES, LICENSES } from './words';
export { flattenCompanyTree, seedCompanies, seedCompany, seedGroups } from './companies';
export { seedTargetGroups, seedUsers } from './people';
export { pickTrainingFields, seedCatalogue, seedEnrollments, seedOwnTrainings } from './trainings';
export { seedCampaigns } from './campaigns';
export { seedReportedEmails } from './reported';
