/** Route for the devices with the report add-in (deployment onboarding 4). The words of the status are invented: no document names them. */
import { markOutsideContract, type Route } from '../http';
import { defineDeployedSearchRoute } from './lists';

export function reporterRoutes(): Route[] {
	return [
		markOutsideContract(
			defineDeployedSearchRoute('POST /api/phishing-reporter/search', {
				getRows: ({ companyData: { reporters, users } }) =>
					reporters.map((reporter) => {
						const user = users.find(({ email }) => email === reporter.email);
						return {
							...reporter,
							addInVersion: '4.2.0',
							addInStatusName: 'Online',
							addInDisabledReason: null,
							firstName: user?.firstName ?? null,
							lastName: user?.lastName ?? null,
						};
					}),
				idField: 'resourceId',
				nameField: 'email',
				textFields: ['email', 'firstName', 'lastName'],
			}),
		),
	];
}
