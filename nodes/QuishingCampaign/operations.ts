import { campaignOperations } from '../domain/simulations/simulationOperations';

export const operations = campaignOperations('quishing');
