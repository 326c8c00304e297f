import { ServiceError } from '../errors';
import { FIELDS } from './limits';

/** A request that was not sent, or an answer that is not given, because the credential does not allow it. */
export class GuardRefusal extends ServiceError {
	/** @param reason the end of the sentence "Could not ..., because" @param advice how a person can change it */
	constructor(
		reason: string,
		advice: string,
		/** Whether the same request may be sent with a company. */
		readonly needsCompany = false,
	) {
		super({
			reason,
			advice,
			cause: 'configuration-invalid',
			mayHaveBeenApplied: false,
			transient: false,
		});
		this.name = 'GuardRefusal';
	}
}

const NOT_SENT = 'Nothing was sent.';
const byPerson = (change: string) =>
	`If it should be allowed, open the credential and ${change}; or use another credential.`;

export const readOnly = () =>
	new GuardRefusal(
		'the credential only allows reading, and this changes something',
		`${NOT_SENT} In the credential, '${FIELDS.mayDo}' is 'Read Only'. ${byPerson(`choose 'Everything' there`)}`,
	);

/** What the limit for agents says of who called. @param isAgent whether it is known that an agent did */
const calledBy = (isAgent: boolean, choice: string, change: string) =>
	`${NOT_SENT} In the credential, '${FIELDS.agents}' is '${choice}', and ${
		isAgent
			? 'this node was called by an AI agent'
			: 'this workflow was called by another workflow. n8n does not tell whether an AI agent is behind that, so it counts as one. For workflows that people use, take another credential'
	}. Trying again does not help. ${byPerson(change)}`;

const perhaps = (isAgent: boolean) => (isAgent ? '' : '; an agent may have called this workflow');

/** @param isAgent whether it is known that an agent called, or only that another workflow did */
export const agentsDoNothing = (isAgent: boolean) =>
	new GuardRefusal(
		`the credential is not for AI agents${perhaps(isAgent)}`,
		calledBy(isAgent, 'May Do Nothing', 'choose something else there'),
	);

/** @param isAgent whether it is known that an agent called, or only that another workflow did */
export const agentsOnlyRead = (isAgent: boolean) =>
	new GuardRefusal(
		`the credential allows AI agents only to read, and this changes something${perhaps(isAgent)}`,
		calledBy(isAgent, 'May Only Read', `choose 'May Do the Same as Others' there`),
	);

export const agentsDoNotDelete = () =>
	new GuardRefusal(
		'an AI agent may not delete or revoke anything',
		`${NOT_SENT} This node was called as a tool of an AI agent, and deleting is never allowed there, whatever the credential says. Trying again does not help. A person can do it in the platform, or with this node in a workflow, outside the agent.`,
	);

const onlyCompanies = (explanation: string, advice: string) =>
	`${NOT_SENT} In the credential, '${FIELDS.onlyCompanies}' is on${explanation}. ${advice}`;

const addId = byPerson(`add its ID to '${FIELDS.companyIds}'`);

export const noCompanyAtAll = () =>
	new GuardRefusal(
		'the credential names no company that it may be used for',
		onlyCompanies(
			`, but '${FIELDS.companyIds}' is empty or has something in it that is not an ID`,
			`Open the credential and enter the IDs there, separated by commas: 'Get Many Companies' of the Company node lists them. For every company, switch '${FIELDS.onlyCompanies}' off.`,
		),
	);

export const notOneOfThese = () =>
	new GuardRefusal(
		'it is for a company that the credential may not be used for',
		onlyCompanies(` and its '${FIELDS.companyIds}' do not have the ID of this company`, addId),
	);

/** For an answer, so the request was sent; it was for a company that is allowed, or for the credential's own. */
export const answeredForAnother = () =>
	new GuardRefusal(
		"the service's answer is not about a company that the credential may be used for",
		`The request was sent, and its answer is not shown. In the credential, '${FIELDS.onlyCompanies}' is on and its '${FIELDS.companyIds}' do not have the ID in the answer. ${addId}`,
	);

/** @param name the name of the part of the request, as it is sent */
export const namesAnother = (name: string) =>
	new GuardRefusal(
		`'${name}' does not name a company that the credential may be used for`,
		onlyCompanies(
			`, so each company in a request must be one of its '${FIELDS.companyIds}', by its ID`,
			`Correct or leave out '${name}'. ${addId}`,
		),
	);

export const namesNone = () =>
	new GuardRefusal(
		'it names no company, and the credential may be used for certain companies only',
		onlyCompanies(
			", so each request must be for one of its companies, and the credential's own is not known to be one of them",
			`Choose 'One Company' or 'Every Company' in the node's 'Company Scope': the latter then means the companies in '${FIELDS.companyIds}'.`,
		),
		true,
	);

/** For the operation about the credential's own company, which has no company to choose. */
export const notOwn = () =>
	new GuardRefusal(
		"it is about the credential's own company, which is not known to be one that the credential may be used for",
		onlyCompanies(
			", and the credential's own company is not known to be one of its companies",
			'With this credential the operation cannot be used: get a company by its ID instead, or use another credential.',
		),
	);

/** For a group of companies without companies. */
export const noMembers = () =>
	new GuardRefusal(
		'it names no company, and the credential may be used for certain companies only',
		onlyCompanies(', so a new group must have at least one of its companies', 'Choose the companies of the group.'),
	);

/** For limits that an expression makes others for another item. */
export const notTheSame = () =>
	new GuardRefusal(
		'the credential does not allow the same for each item',
		`${NOT_SENT} In the credential, an expression in '${FIELDS.mayDo}', '${FIELDS.onlyCompanies}', '${FIELDS.companyIds}' or '${FIELDS.agents}' uses the data of an item, and one run has one credential. Open the credential and enter there what holds for all items.`,
	);

export const cannotName = () =>
	new GuardRefusal(
		'it cannot be limited to certain companies, and the credential may be used for certain companies only',
		onlyCompanies(
			', and this operation is not about one company, or it does not show which one',
			`With this credential the operation cannot be used, because of '${FIELDS.onlyCompanies}' in it. Use a credential without that.`,
		),
	);
