/** Operations that only read and operations that write, for the tests of repeated requests. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { NEW_COMPANY } from '../cases/newCompany';
import { type FaultRule } from '../stand-in';
import { the, times, type NodeClass, type NodeFixture, type RunMore } from '../n8n-core/nodeFixture';
export interface Call {
	route: string;
	node: NodeClass;
	parameters: () => IDataObject;
}

/** @returns the operations, run with a time-out of a second, and every one of them with every one of some faults */
export function callsOf(b: NodeFixture) {
	const companyId = () => the(b.service.state.companies[0]).companyResourceId;
	const groupId = () => the(b.service.state.groups[0]).resourceId;
	const reads: Call[] = [
		{
			route: 'GET /api/companies/{resourceId}',
			node: SecurityAwarenessCompany,
			parameters: () => ({ operation: 'get', company: { mode: 'id', value: companyId() } }),
		},
		{
			route: 'POST /api/companies/search',
			node: SecurityAwarenessCompany,
			parameters: () => ({ operation: 'getMany', limit: 5 }),
		},
		{
			route: 'POST /api/leaderboard/get-all/export',
			node: SecurityAwarenessLeaderboard,
			parameters: () => ({ operation: 'export', companyScope: 'own' }),
		},
	];
	const participants = () => ({ participantsFrom: 'id', participantIds: companyId() });
	const writes: Call[] = [
		{
			route: 'POST /api/company-groups',
			node: SecurityAwarenessCompanyGroup,
			parameters: () => ({ operation: 'create', name: 'New', ...participants() }),
		},
		{
			route: 'PUT /api/company-groups/{resourceId}/participants',
			node: SecurityAwarenessCompanyGroup,
			parameters: () => ({
				operation: 'replaceParticipants',
				companyGroup: { mode: 'id', value: groupId() },
				...participants(),
			}),
		},
		{
			route: 'POST /api/companies',
			node: SecurityAwarenessCompany,
			parameters: () => NEW_COMPANY,
		},
	];

	const run = async ({ node, parameters }: Call, more: RunMore = {}) =>
		await b.run(node, { ...parameters(), options: { timeout: 1 } }, more);
	const requests = ({ route }: Call) => b.service.requests(route);
	const cases = (calls: Call[], faults: Array<Partial<FaultRule> & Pick<FaultRule, 'kind'>>) =>
		calls.flatMap((call) =>
			faults.map((fault) => ({
				name: `${call.route}: ${fault.kind}${fault.retryAfter === undefined ? '' : ` with Retry-After ${fault.retryAfter}`}`,
				call,
				fault,
			})),
		);
	return { reads, writes, run, requests, cases };
}

/** Runs 'Get Company' for one company with this number of input items, so with as many requests. */
export const companyReader =
	(b: NodeFixture, defaultOptions: IDataObject) =>
	async (count: number, more: RunMore, options: IDataObject = defaultOptions) => {
		const company = { mode: 'id', value: the(b.service.state.companies[0]).companyResourceId };
		return await b.run(
			SecurityAwarenessCompany,
			{ operation: 'get', company, options },
			{ items: times(count).map((json) => ({ json })), ...more },
		);
	};
