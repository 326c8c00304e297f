import { z } from 'zod';

import type { Company } from '../../stand-in/seed';

/** Returns true if the customer's license has not expired and the name contains the text. Ignores upper and lower case. */
export const isManaged = ({ companyName, licenceExpired, licenseEndDate }: Company, nameFragment: string): boolean =>
	(companyName ?? '').toLowerCase().includes(nameFragment.toLowerCase()) &&
	!licenceExpired &&
	Date.parse(licenseEndDate) > Date.now();

const pageSchema = z.object({ data: z.object({ results: z.array(z.record(z.unknown())) }) });

/** Returns the records in the response to a search. */
export const parseResults = (response: unknown): Array<Record<string, unknown>> =>
	pageSchema.parse(response).data.results;
