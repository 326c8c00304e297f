import { campaignOperations } from '../shared/campaign/operations';

export const operations = campaignOperations('smishing');
