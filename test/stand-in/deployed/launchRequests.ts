import type { Row } from '../http';
import { SIMULATORS } from '../personality';
import { scenarioId } from './launch';
import { body, FILTER, type Deployed } from './testing';

/** A valid request for each operation of `launchRoutes`. */
export function launchRequests(d: Deployed): Array<{ key: string; ids?: Record<string, string>; sent?: Row }> {
	const groups = d.holdings.targetGroups.slice(0, 1).map(({ resourceId }) => resourceId);
	return [
		...SIMULATORS.flatMap((simulator) => {
			const path = `POST /api/${simulator}-simulator/${simulator}`;
			const idOf = (at: number) => ({ resourceId: d.holdings.campaigns(simulator)[at]?.resourceId ?? '' });
			const campaign = `/api/${simulator}-simulator/${simulator}-campaign`;
			const jobOf = (at: number) => ({ ...idOf(at), instanceGroup: '1' });
			const [waiting] = d.holdings.campaigns(simulator).filter(({ status }) => status === 'Scheduled');
			return [
				{ key: `${path}-scenario/search`, sent: body('Name') },
				{
					key: `${path}-campaign`,
					sent: {
						name: 'New',
						scheduleTypeId: 1,
						[`${simulator}ScenarioResourceIds`]: [scenarioId(simulator, 'Parcel Notice')],
						targetGroupResourceIds: groups,
					},
				},
				{
					key: `${path}-campaign-job/start/{resourceId}`,
					ids: { resourceId: waiting?.resourceId ?? '' },
					sent: { scheduleTypeId: 1, targetGroupResourceIds: groups },
				},
				{ key: `POST ${campaign}-job/resend/{resourceId}/{instanceGroup}`, ids: jobOf(1), sent: { types: [4] } },
				{
					...{ key: `POST ${campaign}-job/resend/list/{resourceId}/{instanceGroup}`, ids: jobOf(1) },
					sent: { items: [], selectAll: false, excludedItems: [], filter: FILTER, searchType: 'All' },
				},
				{ key: `GET ${campaign}/{resourceId}`, ids: idOf(0) },
				{ key: `DELETE ${campaign}/{resourceId}`, ids: idOf(1) },
				{ key: `PATCH ${campaign}-job/stop/{resourceId}/{instanceGroup}`, ids: jobOf(0) },
			];
		}),
		{ key: 'GET /api/phishing-simulator/phishing-campaign/form-details' },
	];
}
