import type { z } from 'zod';

import { asError, ServiceError } from '../transport/errors';
import type { ContractKey } from '../transport/request';
import { contains, type Entry, type Filled, type PickerPage } from './listing';

/**
 * What an operation that the contract does not have brings, where a deployment has it (deployment shapes, "Beside the 85").
 * @returns undefined where it does not, refuses it, or answers in another form than expected
 * @throws ServiceError where no answer came, a later try can help, or the credential is not accepted
 */
export async function undefinedIfAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
	return await ask().catch((error: unknown) => {
		if (!(error instanceof ServiceError)) return Promise.reject(asError(error));
		const { status, transient, cause } = error.details;
		return status === undefined || transient || cause === 'credential-invalid' ? Promise.reject(error) : undefined;
	});
}

/** An operation that the contract does not have and that lists what can be chosen. */
export interface Helper<T> {
	contract: ContractKey;
	/** The form of its data; what is of another form counts as not there. */
	shape: z.ZodType<T, z.ZodTypeDef, unknown>;
	path?: Record<string, string>;
	/** Whether it is the chosen customer's, rather than the credential's. */
	scoped?: boolean;
}

/** Asks a helper. @returns undefined where the deployment does not have it @throws see `ifThere`; InvalidInput before a company is chosen */
export async function readHelper<T>(
	filled: Filled,
	{ contract, shape, path, scoped }: Helper<T>,
): Promise<T | undefined> {
	const company = scoped ? filled.company() : undefined;
	const service = await filled.open();
	const request = {
		...{ contract, repeatable: true, purpose: 'read the list' },
		...(path ? { path } : {}),
		...(company ? { company } : {}),
	};
	const parsed = shape.safeParse((await undefinedIfAbsent(async () => await service.json(request)))?.data);
	return parsed.success ? parsed.data : undefined;
}

/** A list that may not be there. @param pageNumber 1-based @returns undefined where it is not */
export type Source = (filled: Filled, searchText: string, pageNumber: number) => Promise<PickerPage | undefined>;

/** A source that gives its list whole; an empty one is as good as none. */
export const whole =
	(read: (filled: Filled) => Promise<Entry[] | undefined>): Source =>
	async (filled, searchText) => {
		const entries = (await read(filled)) ?? [];
		return entries.length === 0 ? undefined : { entries: entries.filter(contains(searchText)), isLast: true };
	};

/** Can be seen in a list, and says what to do instead, but is no choice. */
export const noteEntry = (name: string): Entry => ({ id: '', name });

/** The search of a picker over the first of several lists that is there; without any it says how to go on. */
export const firstAvailable =
	(sources: Source[], otherwise: string) =>
	async (filled: () => Filled, searchText: string, pageNumber: number): Promise<PickerPage> => {
		for (const source of sources) {
			const page = await source(filled(), searchText, pageNumber);
			if (page) return page;
		}
		return { entries: [noteEntry(otherwise)], isLast: true };
	};
