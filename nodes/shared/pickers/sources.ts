import type { z } from 'zod';

import { rethrow, ServiceError } from '../transport/errors';
import type { ContractKey } from '../transport/request';
import { contains, type Entry, type Filled, type PickerPage } from './listing';

/**
 * Calls an operation that is not one of the contract's 85 and exists on some deployments only (deployment shapes, "Beside
 * the 85").
 * @returns undefined if the deployment does not have it, refuses it, or answers in an unexpected form
 * @throws ServiceError if no answer came, a later try can help, or the credential is not accepted
 */
export async function undefinedIfAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
	return await ask().catch((error: unknown) => {
		if (!(error instanceof ServiceError)) return rethrow(error);
		const { status, transient, cause } = error.details;
		return status === undefined || transient || cause === 'credential-invalid' ? rethrow(error) : undefined;
	});
}

/** An operation outside the contract that lists what can be chosen. */
export interface OptionalOperation<T> {
	contract: ContractKey;
	/** The form of its data; data of another form counts as missing. */
	shape: z.ZodType<T, z.ZodTypeDef, unknown>;
	path?: Record<string, string>;
	/** Whether the list is of the chosen customer instead of the credential. */
	scoped?: boolean;
}

/**
 * Reads the list of such an operation.
 * @returns undefined if the deployment does not have it
 * @throws ServiceError as `undefinedIfAbsent`; InvalidInput while no company is chosen
 */
export async function readOptionalOperation<T>(
	filled: Filled,
	{ contract, shape, path, scoped }: OptionalOperation<T>,
): Promise<T | undefined> {
	const company = scoped ? await filled.company() : undefined;
	const service = await filled.open();
	const request = {
		...{ contract, repeatable: true, purpose: 'read the list' },
		...(path ? { path } : {}),
		...(company ? { company } : {}),
	};
	const parsed = shape.safeParse((await undefinedIfAbsent(async () => await service.json(request)))?.data);
	return parsed.success ? parsed.data : undefined;
}

/** Reads a list that a deployment may not have. @param pageNumber 1-based @returns undefined if there is no list */
export type Source = (filled: Filled, searchText: string, pageNumber: number) => Promise<PickerPage | undefined>;

/** A source that returns its whole list at once; an empty list counts as no list. */
export const wholeList =
	(read: (filled: Filled) => Promise<Entry[] | undefined>): Source =>
	async (filled, searchText) => {
		const entries = (await read(filled)) ?? [];
		return entries.length === 0 ? undefined : { entries: entries.filter(contains(searchText)), isLast: true };
	};

/** An entry that cannot be chosen and tells the person what to do instead. */
export const noteEntry = (name: string): Entry => ({ id: '', name });

/**
 * The search of a picker that uses the first of several lists that the deployment has; without any it shows
 * `noListText`.
 */
export const firstAvailable =
	(sources: Source[], noListText: string) =>
	async (filled: () => Filled, searchText: string, pageNumber: number): Promise<PickerPage> => {
		for (const source of sources) {
			const page = await source(filled(), searchText, pageNumber);
			if (page) return page;
		}
		return { entries: [noteEntry(noListText)], isLast: true };
	};
