import { campaignOperations } from '../shared/campaign/operations';
import { launchFields } from './fields';

export const operations = campaignOperations('phishing', launchFields);
