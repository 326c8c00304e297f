import { defineSimulationResources } from '../domain/simulations/simulationResources';

/** The n8n resources of the Quishing Campaign node. The node opens on the first one. */
export const quishingCampaignResources = defineSimulationResources('quishing');
