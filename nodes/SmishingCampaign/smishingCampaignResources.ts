import { defineSimulationResources } from '../domain/simulations/simulationResources';

/** The n8n resources of the Smishing Campaign node. The node opens on the first one. */
export const smishingCampaignResources = defineSimulationResources('smishing');
