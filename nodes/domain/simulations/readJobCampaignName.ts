import type { Operation, OperationHelpers } from '../../core/operation/defineOperation';
import { readRecordIfPossible } from '../writeReport';
import { getCampaignNameFromLabel, type CampaignJob } from './campaignJob';
import { readCampaignName } from './simulator';

/**
 * Returns the name of a job's campaign for the output of a write. If the user entered the job's ID, the name is read from the job's summary.
 * @param getSummaryOperation the operation that gets the summary of a job
 * @returns null if the name can't be read
 * @throws RequestError only if the run was stopped
 */
export async function readJobCampaignName(
	job: CampaignJob,
	getSummaryOperation: Operation,
	helpers: OperationHelpers,
): Promise<string | null> {
	const selectedName = getCampaignNameFromLabel(job);
	if (selectedName !== undefined) return selectedName;
	const { resourceId, instanceGroup } = job;
	const summary = await readRecordIfPossible(getSummaryOperation, { path: { resourceId, instanceGroup } }, helpers);
	return readCampaignName(summary) ?? null;
}
