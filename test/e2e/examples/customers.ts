import { z } from 'zod';

import type { Company } from '../../stand-in/seed';

/** Whether a customer is among those whose license has not expired and whose name holds the word. */
export const isManaged = ({ companyName, licenceExpired, licenseEndDate }: Company, nameFragment: string): boolean =>
	(companyName ?? '').toLowerCase().includes(nameFragment.toLowerCase()) &&
	!licenceExpired &&
	Date.parse(licenseEndDate) > Date.now();

const pageSchema = z.object({ data: z.object({ results: z.array(z.record(z.unknown())) }) });

/** The records of a search's answer, envelope and all. */
export const parseResults = (answer: unknown): Array<Record<string, unknown>> => pageSchema.parse(answer).data.results;
