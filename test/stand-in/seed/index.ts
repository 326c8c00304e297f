/** What the service has from the start: each record is drawn from its key, so it is always the same. */
export * from './records';
export { EPOCH, INDUSTRIES, LICENSES } from './words';
export { flatten, seedCompanies, seedCompany, seedGroups } from './companies';
export { seedTargetGroups, seedUsers } from './people';
export { ofTraining, seedCatalogue, seedEnrollments, seedOwnTrainings } from './trainings';
export { seedCampaigns } from './campaigns';
export { seedReportedEmails } from './reported';
