import { range } from 'lodash';

import type { CompanyData } from '../../stand-in/companyData';
import { SIMULATORS } from '../../stand-in/profile';
import type { Company } from '../../stand-in/seed';
import type { ExampleContext } from './registerCheck';

const CUSTOMER_COUNT = 4;
const SECOND_MS = 1000;

/** Gives four customers a name of their own and removes their events. @param name the start of the names */
export function prepareCustomers({ service: { world } }: ExampleContext, name: string): Company[] {
	const customers = world.companies
		.filter(({ companyResourceId }) => world.getCompanyData(companyResourceId).users.length >= 10)
		.slice(0, CUSTOMER_COUNT);
	for (const [index, customer] of customers.entries()) {
		customer.companyName = `${name} ${index + 1}`;
		const companyData = world.getCompanyData(customer.companyResourceId);
		for (const simulator of SIMULATORS) companyData.getCampaigns(simulator).length = 0;
		companyData.enrollments.length = 0;
	}
	return customers;
}

/** Returns the records of a customer. */
export const getData = ({ service: { world } }: ExampleContext, customer: Company | undefined): CompanyData =>
	world.getCompanyData(customer?.companyResourceId ?? '');

/** Adds an entry to the audit log. */
export function addAuditEntry(companyData: CompanyData, resourceId: string, time: number, changes: object = {}): void {
	companyData.auditEntries.push({
		resourceId,
		userName: 'admin@example.com',
		entityName: 'Sales',
		operation: 'Update',
		auditDescription: 'Sales was updated',
		logDate: new Date(time).toISOString(),
		...changes,
	});
}

/** Adds an action of a person. */
export function addPersonEvent(companyData: CompanyData, number: number, time: number, changes: object = {}): void {
	const { users } = companyData;
	companyData.personEvents.push({
		targetUserResourceId: users[number % users.length]?.resourceId ?? '',
		resourceId: `campaign${number % 7}`,
		name: `Campaign ${number % 7}`,
		actionType: number % 3 === 0 ? 'LinkClicked' : 'Reported',
		actionTime: new Date(time).toISOString(),
		productType: 'Phishing',
		difficultyType: null,
		...changes,
	});
}

/** Adds an entry of the audit log and an action of a person in turn, one per second. */
export function addEvents(companyData: CompanyData, prefix: string, count: number, startTime: number): void {
	for (const number of range(count)) {
		const time = startTime + number * SECOND_MS;
		if (number % 2 === 0) addAuditEntry(companyData, `${prefix}-${number}`, time);
		else addPersonEvent(companyData, number, time);
	}
}
