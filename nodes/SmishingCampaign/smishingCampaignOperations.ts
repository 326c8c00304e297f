import { defineSimulationOperations } from '../domain/simulations/simulationOperations';

export const smishingCampaignOperations = defineSimulationOperations('smishing');
