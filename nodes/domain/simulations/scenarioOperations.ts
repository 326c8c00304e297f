import { listResponse } from '../../core/response/listResponse';
import { defineOperation } from '../../core/operation/defineOperation';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { getSimulatorTitle, SCENARIO_ID_FIELDS, type Simulator } from './simulator';

/** Defines the operations for the scenarios of campaigns (deployment beyond, "Campaigns"). */
export function defineScenarioOperations(simulator: Simulator) {
	const getManyOperation = defineOperation({
		value: 'getManyScenarios',
		name: `Get Many ${getSimulatorTitle(simulator)} Campaign Scenarios`,
		description: 'List what can be simulated at one customer or at every one',
		endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-scenario/search'),
		scope: 'companies',
		response: listResponse({
			identity: SCENARIO_ID_FIELDS,
			outputFields: {
				simplified: [
					'name',
					'method',
					'difficulty',
					'category',
					'languageTypeName',
					'createTime',
					...SCENARIO_ID_FIELDS,
				],
			},
		}),
	});
	return { getMany: getManyOperation };
}
