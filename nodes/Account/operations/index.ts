import { checkAccess } from './checkAccess';
import { contractOperations } from '../fields';

export const operations = [checkAccess, ...contractOperations];
