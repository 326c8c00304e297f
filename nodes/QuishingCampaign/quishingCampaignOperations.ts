import { defineSimulationOperations } from '../domain/simulations/simulationOperations';

export const quishingCampaignOperations = defineSimulationOperations('quishing');
