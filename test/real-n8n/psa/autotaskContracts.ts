/**
 * The contracts of Autotask PSA, as far as the examples use them. They behave as the vendor's developer help says
 * (autotask.net/help/DeveloperHelp: Contracts, Services, ContractServiceUnits, ContractServiceAdjustments, "About recurring service
 * contract entity relationships", "Finding resource and child access URLs of REST API entities"):
 * - A contract has services. How many units of a service a contract has in a billing period is in ContractServiceUnits.
 * - ContractServiceUnits can only be queried. ContractServiceAdjustments can only be created, as children of a contract: an adjustment
 *   adds units, or removes them, from its effective date on.
 * - An adjustment within a billing period splits the period: the first units end on the effective date, others begin on it.
 * - An adjustment names the service of the contract (contractServiceID), or the contract and the service. If the contract doesn't
 *   have the service, Autotask adds it.
 */
import type { FastifyInstance } from 'fastify';
import { DateTime } from 'luxon';
import { z } from 'zod';

import { answerErrors, answerQuery, API_PATH } from './autotaskQueries';
import type { Agreement, AgreementLine, PsaRecords } from './psaData';

/** Contracts with services that are billed in each period. */
const RECURRING_SERVICE_TYPE = 7;
const ACTIVE_STATUS = 1;
const INACTIVE_STATUS = 0;
/** The end date of a contract without an end date in the other APIs. Each contract of Autotask has one. */
const UNLIMITED_END_DATE = '2099-12-31T00:00:00';
const FIRST_SERVICE_ID = 9000;
/** The ID of an entry of ContractServiceUnits consists of the line's ID and a number below this one. */
const MAX_UNITS_PER_LINE = 1000;

const contractPathSchema = z.object({ id: z.coerce.number() });
const adjustmentSchema = z.object({
	contractID: z.number().optional(),
	contractServiceID: z.number().optional(),
	serviceID: z.number().optional(),
	effectiveDate: z.string().date(),
	unitChange: z.number().int(),
});

/** Lists the products of all agreements. Autotask calls them services. */
const listServices = ({ agreements }: PsaRecords) =>
	[...new Set(agreements.flatMap(({ lines }) => lines.map(({ product }) => product)))].map((name, index) => ({
		id: FIRST_SERVICE_ID + index,
		name,
		isActive: true,
	}));

const toContractRecord = ({ id, name, companyId, isCancelled, endDate }: Agreement) => ({
	id,
	contractName: name,
	companyID: companyId,
	contractType: RECURRING_SERVICE_TYPE,
	status: isCancelled ? INACTIVE_STATUS : ACTIVE_STATUS,
	startDate: '2020-01-01T00:00:00',
	endDate: endDate ?? UNLIMITED_END_DATE,
});

/** The first and the last day of a billing period, such as 2026-01-01. */
interface Period {
	from: string;
	to: string;
}

/** Lists the billing periods: last month, this month and next month. */
const listPeriods = (): Period[] =>
	[-1, 0, 1]
		.map((months) => DateTime.now().plus({ months }))
		.map((date) => ({
			from: date.startOf('month').toFormat('yyyy-MM-dd'),
			to: date.endOf('month').toFormat('yyyy-MM-dd'),
		}));

/** Builds the units of a line in each billing period. */
function listUnits(
	psaRecords: PsaRecords,
	{ id: contractID }: Agreement,
	line: AgreementLine,
	{ serviceID, periods }: { serviceID: number | undefined; periods: Period[] },
) {
	const adjustments = psaRecords.adjustments.filter(({ lineId }) => lineId === line.id);
	const effectiveDates = [...new Set(adjustments.map(({ effectiveDate }) => effectiveDate))].sort();
	/** Counts the units before the adjustments that this function selects. */
	const countUnits = (isLater: (effectiveDate: string) => boolean) =>
		adjustments
			.filter(({ effectiveDate }) => isLater(effectiveDate))
			.reduce((units, { unitChange }) => units - unitChange, line.quantity);
	const entries = periods.flatMap(({ from, to }) => {
		const splits = effectiveDates.filter((date) => date >= from && date <= to);
		const [firstSplit] = splits;
		const unitsAtStart = countUnits((date) => date >= (firstSplit ?? to));
		const laterEntries = splits.map((split, index) => ({
			from: split,
			to: splits[index + 1] ?? to,
			units: countUnits((date) => date > split),
		}));
		return [{ from, to: firstSplit ?? to, units: unitsAtStart }, ...laterEntries];
	});
	return entries
		.filter(({ from }) => line.cancelledDate === undefined || from < line.cancelledDate)
		.map(({ from, to, units }, index) => ({
			id: line.id * MAX_UNITS_PER_LINE + index,
			contractID,
			contractServiceID: line.id,
			serviceID,
			units,
			startDate: `${from}T00:00:00`,
			endDate: `${to}T00:00:00`,
		}));
}

/** Adds the routes of contracts to the API of Autotask. */
export function registerAutotaskContracts(app: FastifyInstance, psaRecords: PsaRecords): void {
	const listRecords: Record<string, () => Array<Record<string, unknown> & { id: number }>> = {
		Services: () => listServices(psaRecords),
		Contracts: () => psaRecords.agreements.map(toContractRecord),
		ContractServiceUnits: () => {
			const serviceIds = new Map(listServices(psaRecords).map(({ id, name }) => [name, id]));
			const periods = listPeriods();
			return psaRecords.agreements.flatMap((agreement) =>
				agreement.lines.flatMap((line) =>
					listUnits(psaRecords, agreement, line, { serviceID: serviceIds.get(line.product), periods }),
				),
			);
		},
	};
	for (const [name, list] of Object.entries(listRecords))
		app.get(`${API_PATH}/${name}/query`, async ({ query, url, protocol, host }, reply) =>
			answerQuery(list(), `${protocol}://${host}${url.split('?')[0]}`, query, reply),
		);

	app.post(`${API_PATH}/Contracts/:id/ServiceAdjustments`, async ({ params, body }, reply) => {
		const agreement = psaRecords.agreements.find(({ id }) => id === contractPathSchema.parse(params).id);
		const { data, error } = adjustmentSchema.safeParse(body);
		if (!agreement) return await answerErrors(reply, 'Value does not reference an existing entity for contractID.');
		if (!data) return await answerErrors(reply, ...error.issues.map(({ path }) => `${path.join('.')} is not valid.`));
		const { contractServiceID, serviceID, effectiveDate, unitChange } = data;
		const service = listServices(psaRecords).find(({ id }) => id === serviceID);
		const line = agreement.lines.find(({ id, product }) =>
			contractServiceID === undefined ? product === service?.name : id === contractServiceID,
		);
		if (!line && !service) return await answerErrors(reply, 'contractServiceID or serviceID is required.');
		if (line) {
			line.quantity += unitChange;
			psaRecords.adjustments.push({ lineId: line.id, effectiveDate, unitChange });
		} else if (service) {
			const id =
				Math.max(...psaRecords.agreements.flatMap(({ lines }) => lines.map((agreementLine) => agreementLine.id))) + 1;
			agreement.lines.push({ id, product: service.name, quantity: unitChange, unitPrice: 1 });
		}
		return { itemId: 70_000 + psaRecords.adjustments.length };
	});
}
