import type { Row } from '../http';
import { SIMULATORS } from '../personality';
import { scenarioId } from './launch';
import { body, type Deployed } from './testing';

/** A valid request for each operation of `launchRoutes`. */
export function launchRequests(d: Deployed): Array<{ key: string; ids?: Record<string, string>; sent?: Row }> {
	const groups = d.holdings.targetGroups.slice(0, 1).map(({ resourceId }) => resourceId);
	const idOf = (at: number) => ({ resourceId: d.holdings.campaigns('phishing')[at]?.resourceId ?? '' });
	const campaign = '/api/phishing-simulator/phishing-campaign';
	return [
		...SIMULATORS.flatMap((simulator) => {
			const path = `POST /api/${simulator}-simulator/${simulator}`;
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
			];
		}),
		{ key: `GET ${campaign}/form-details` },
		{ key: `GET ${campaign}/{resourceId}`, ids: idOf(0) },
		{ key: `DELETE ${campaign}/{resourceId}`, ids: idOf(1) },
		{ key: `PATCH ${campaign}-job/stop/{resourceId}/{instanceGroup}`, ids: { ...idOf(0), instanceGroup: '1' } },
	];
}
