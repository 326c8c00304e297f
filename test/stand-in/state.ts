import { fullReportOf, type FullReportJob } from './full-report';
import { SIMULATORS, type Simulator } from './personality';
import type { Campaign, Company, Enrollment, TargetGroup, TargetUser, Training } from './seed';
import type {
	ApiClientRecord,
	CompanyGroup,
	EmailSetting,
	Holdings,
	SamlSetting,
	Scim,
	SystemUser,
	Upload,
} from './holdings';
import type { World } from './world';

/** The world as tests look at it: always the present one, also after a reset. */
export interface State {
	readonly companies: Company[];
	readonly tree: Company[];
	readonly reseller: Company;
	readonly foreign: Company;
	readonly companyDetails: Record<string, Record<string, unknown>>;
	readonly logos: Record<string, Upload>;
	readonly groups: CompanyGroup[];
	readonly users: TargetUser[];
	readonly targetGroups: TargetGroup[];
	readonly trainings: Training[];
	readonly enrollments: Enrollment[];
	readonly campaigns: Campaign[];
	readonly clients: ApiClientRecord[];
	readonly systemUsers: SystemUser[];
	readonly scim: Scim[];
	readonly emailSettings: EmailSetting[];
	readonly samlSettings: SamlSetting[];
	readonly login: { username: string; password: string };
	/** What operations did to a record whose type has no field for it. */
	notesOn(resourceId: string): Record<string, unknown>;
	/** What belongs to one company. */
	of(companyResourceId: string): Holdings;
	/**
	 * The job of a simulator with exactly 500 people, 100 of whom opened, 50 clicked, 20 submitted and 5 clicked without
	 * having opened. @param companyResourceId 'Harbour Bakery', unless given; the Company Admin's company has one too
	 * @throws Error when the service was started without the option bigJob
	 */
	fullReportJob(simulator: Simulator, companyResourceId?: string): FullReportJob;
}

/** A view on the present world. */
export function stateOf(world: () => World): State {
	const all = <T>(what: (holdings: Holdings) => T[]): T[] =>
		[world().reseller, ...world().companies].flatMap((company) => what(world().of(company)));
	return {
		get companies() {
			return world().companies;
		},
		get tree() {
			return world().tree;
		},
		get reseller() {
			return world().reseller;
		},
		get foreign() {
			return world().foreign;
		},
		get companyDetails() {
			return Object.fromEntries(world().details);
		},
		get logos() {
			return Object.fromEntries(world().logos);
		},
		get groups() {
			return world().groups;
		},
		get users() {
			return all((holdings) => holdings.users);
		},
		get targetGroups() {
			return all((holdings) => holdings.targetGroups);
		},
		get trainings() {
			return [...world().catalogue, ...all((holdings) => holdings.trainings)];
		},
		get enrollments() {
			return all((holdings) => holdings.enrollments);
		},
		get campaigns() {
			return all((holdings) => SIMULATORS.flatMap((simulator) => holdings.campaigns(simulator)));
		},
		get clients() {
			return all((holdings) => holdings.clients);
		},
		get systemUsers() {
			return all((holdings) => holdings.systemUsers);
		},
		get scim() {
			return all((holdings) => holdings.scim);
		},
		get emailSettings() {
			return all((holdings) => holdings.emailSettings);
		},
		get samlSettings() {
			return all((holdings) => holdings.samlSettings);
		},
		get login() {
			return world().login;
		},
		notesOn: (resourceId) => world().notes.get(resourceId) ?? {},
		of(companyResourceId) {
			const company =
				companyResourceId === world().reseller.companyResourceId
					? world().reseller
					: world().company(companyResourceId);
			if (!company) throw new Error(`The stand-in service has no company ${companyResourceId}`);
			return world().of(company);
		},
		fullReportJob(simulator, companyResourceId) {
			const [company] = world().bigJobCompanies.filter(
				(entry) => companyResourceId === undefined || entry.companyResourceId === companyResourceId,
			);
			const job = company && fullReportOf(world().of(company).campaigns(simulator));
			if (!job) throw new Error('There is no job with 500 people: start the service with bigJob: true');
			return job;
		},
	};
}
