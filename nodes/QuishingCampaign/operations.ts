import { defineSimulationOperations } from '../domain/simulations/simulationOperations';

export const operations = defineSimulationOperations('quishing');
