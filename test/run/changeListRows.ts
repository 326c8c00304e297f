import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { StandIn } from '../stand-in';

/** The schema of a response with a page of a list. */
export const listPageSchema = z
	.object({ data: z.object({ results: z.array(z.record(z.unknown())) }).passthrough() })
	.passthrough();

/** Changes the rows of a list before the stand-in sends them, until the option `transformEnvelope` is removed. */
export function changeListRows(
	standIn: StandIn,
	routePattern: RegExp,
	changeRow: (row: IDataObject, index: number) => object,
): void {
	standIn.setOptions({
		transformEnvelope: (envelope, { route }) => {
			if (!routePattern.test(route)) return envelope;
			const page = listPageSchema.parse(envelope);
			const rows = page.data.results as IDataObject[];
			return { ...page, data: { ...page.data, results: rows.map(changeRow) } };
		},
	});
}
