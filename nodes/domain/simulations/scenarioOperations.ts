import { listResponse } from '../../core/response/listResponse';
import { defineOperation } from '../../core/operation/defineOperation';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { SCENARIO_ID_FIELDS, type Simulator } from './simulator';

/** Defines the operations for the scenarios of campaigns (deployment beyond, "Campaigns"). */
export function defineScenarioOperations(simulator: Simulator) {
	const getManyOperation = defineOperation({
		value: 'getMany',
		name: 'Get Many',
		action: `Get many ${simulator} scenarios`,
		description: `List the scenarios that ${simulator} campaigns can use, with their category, difficulty and language`,
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
