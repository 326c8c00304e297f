import { upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../core/fields/field';
import { createListSource } from '../../core/pickers/listSource';
import { listMultiPicker, listPicker } from '../../core/pickers/picker';
import { getSimulatorEndpointKey, type Simulator } from '../../core/api/endpoints';
import { readId, type Choice } from '../../core/values';

export type { Simulator } from '../../core/api/endpoints';

/** Returns the name of a simulator for titles: "Phishing". */
export const getSimulatorTitle = (simulator: Simulator) => upperFirst(simulator);

/**
 * Returns the names of the fields that may contain the ID of a campaign, in the record of the campaign or of its job
 * (deployment facts, "Naming").
 */
export const getCampaignIdFields = (simulator: Simulator) => ['resourceId', `${simulator}CampaignResourceId`] as const;

/**
 * Reads the name of a campaign from the row or the summary of one of its jobs (deployment shapes, "Campaign reports").
 */
export const readCampaignName = (record: IDataObject) =>
	readId(record, ['name', 'campaignName', 'phishingCampaignName']);

/** Creates the field that selects a campaign. */
export const campaignPicker = (simulator: Simulator): Field<Choice> =>
	listPicker({
		displayName: 'Campaign',
		description: 'Select the campaign, or enter its name or ID',
		listMethod: `search${getSimulatorTitle(simulator)}Campaigns`,
		noun: 'campaign',
		nameExample: 'Q3 Simulation',
		source: createListSource({
			endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-campaign/search'),
			idFields: getCampaignIdFields(simulator),
			nameFields: ['name'],
			isPerCompany: true,
			isOptional: false,
		}),
	});

export const SCENARIO_ID_FIELDS = ['resourceId'];

/** Creates the field that selects the scenarios of a campaign. */
export const scenarioPicker = (simulator: Simulator): Field<string[]> =>
	listMultiPicker({
		displayName: 'Scenario Names or IDs',
		description: 'The scenarios that the campaign uses',
		required: true,
		listMethod: `load${getSimulatorTitle(simulator)}Scenarios`,
		noun: 'scenario',
		source: createListSource({
			endpoint: getSimulatorEndpointKey(simulator, 'POST /api/SIM-simulator/SIM-scenario/search'),
			idFields: SCENARIO_ID_FIELDS,
			nameFields: ['name'],
			isPerCompany: true,
			isOptional: true,
		}),
	});
