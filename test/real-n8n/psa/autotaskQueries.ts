/** Queries of the API of Autotask PSA, as the vendor's developer help describes them ("Making basic query calls to the REST API"). */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** The path of the API. A user enters it behind the zone's address. */
export const API_PATH = '/atservicesrest/v1.0';
const MAX_RECORDS = 500;

const conditionSchema = z.object({
	op: z.enum(['eq', 'noteq', 'gt', 'gte', 'lt', 'lte', 'in', 'exist', 'notExist']),
	field: z.string(),
	value: z.unknown(),
});
const searchSchema = z.object({
	filter: z.array(conditionSchema).min(1),
	MaxRecords: z.number().min(1).max(MAX_RECORDS).default(MAX_RECORDS),
});
type Condition = z.infer<typeof conditionSchema>;
const querySchema = z.object({ search: z.string(), afterId: z.coerce.number().default(0) });

/** Returns a value that can be compared by size: the number, or the time of a date. */
const toComparable = (value: unknown): number =>
	typeof value === 'string' && Number.isNaN(Number(value))
		? Date.parse(`${value.slice(0, 10)}T00:00:00Z`)
		: Number(value);

/** Returns true if a record meets a condition. The comparison of texts ignores case. */
function isMatchingCondition(record: Record<string, unknown>, { op, field, value }: Condition): boolean {
	const key = Object.keys(record).find((name) => name.toLowerCase() === field.toLowerCase()) ?? field;
	const actualValue = record[key];
	const isEqualTo = (expectedValue: unknown) =>
		String(actualValue).toLowerCase() === String(expectedValue).toLowerCase();
	const checks: Record<Condition['op'], () => boolean> = {
		eq: () => isEqualTo(value),
		noteq: () => !isEqualTo(value),
		gt: () => toComparable(actualValue) > toComparable(value),
		gte: () => toComparable(actualValue) >= toComparable(value),
		lt: () => toComparable(actualValue) < toComparable(value),
		lte: () => toComparable(actualValue) <= toComparable(value),
		in: () => Array.isArray(value) && value.some(isEqualTo),
		exist: () => actualValue !== undefined && actualValue !== null,
		notExist: () => actualValue === undefined || actualValue === null,
	};
	return checks[op]();
}

/** Answers invalid records and queries. Autotask uses the status 500 for both. */
export const answerErrors = (reply: FastifyReply, ...errors: string[]): FastifyReply =>
	reply.code(500).send({ errors });

/**
 * Answers a query of an endpoint, such as GET /Companies/query, with the records that meet all conditions.
 * @param records all records of the endpoint, with the field names of Autotask
 * @param url the URL of the request, without its query
 * @param query the query of the request, with the search as JSON
 */
export async function answerQuery(
	records: Array<Record<string, unknown> & { id: number }>,
	url: string,
	query: unknown,
	reply: FastifyReply,
): Promise<unknown> {
	const { search, afterId } = querySchema.parse(query);
	const { data } = searchSchema.safeParse(JSON.parse(search));
	if (!data) return await answerErrors(reply, 'The query has no valid filter.');
	const matchingRecords = records.filter(
		(record) => record.id > afterId && data.filter.every((condition) => isMatchingCondition(record, condition)),
	);
	const items = matchingRecords.slice(0, data.MaxRecords);
	const lastId = items.at(-1)?.id ?? 0;
	const hasMore = items.length < matchingRecords.length;
	const nextPageUrl = hasMore ? `${url}?${new URLSearchParams({ search, afterId: String(lastId) }).toString()}` : null;
	const pageDetails = { count: items.length, requestCount: data.MaxRecords, prevPageUrl: null, nextPageUrl };
	return { items, pageDetails };
}
