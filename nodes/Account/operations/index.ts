import { checkAccess } from './checkAccess';
import { contractOperations } from './contract';

export const operations = [checkAccess, ...contractOperations];
