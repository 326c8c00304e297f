import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { CustomerFixture } from '../cases';
import { TOKEN } from '../cases/operationFixture';
import type { LoggedRequest, PersonalityName } from '../stand-in';
import { between, pick } from '../stand-in/random';
import type { Report } from './runner';
import { failedItem, STOPPED, Workload, type Ways } from './workload';

/** Reports and exports of every company, whole lists, large files, and a Stop now and then. */
export class Reads extends Workload {
	protected override readonly isLiedTo = true;

	private usual: string[] = [];

	static async start(ways: Ways, personality: PersonalityName): Promise<Reads> {
		const customer = await CustomerFixture.start({ personality, companies: 150, latencyMs: 5 });
		const made = new Reads(
			`every company, pages, files${personality === 'deployed' ? ', as deployed' : ''}`,
			ways,
			customer,
		);
		made.usual = made.service.state.companies.map(({ companyResourceId }) => companyResourceId);
		return made;
	}

	async round(): Promise<void> {
		const works = [
			async () =>
				await this.everyCompany('TargetGroup', 'POST /api/target-groups/search/current-company', 'resourceId', (id) =>
					this.service.state.of(id).targetGroups.map(({ resourceId }) => resourceId),
				),
			async () =>
				await this.everyCompany('Enrollment', 'POST /api/enrollments/search', this.customer.names.enrollmentId, (id) =>
					this.service.state.of(id).enrollments.map(({ resourceId }) => resourceId),
				),
			async () => await this.everyExport(),
			async () => await this.pages(),
			async () => await this.largeFile(),
		] as const;
		await pick(this.next, works)();
	}

	private maybeStop(): number | undefined {
		return this.next() < 0.2 ? between(this.next, 1, 1500) : undefined;
	}

	private options(): IDataObject {
		return { concurrency: between(this.next, 1, 20) };
	}

	/** A failure of the whole run: which companies it names, and whether there was a reason. @returns whether it is dealt with */
	private judgeWhole({ failure, stoppedAt }: Report, log: LoggedRequest[]): boolean {
		if (!failure) return false;
		if (stoppedAt !== undefined && STOPPED.test(failure.message)) return true;
		const named = z
			.object({ companies: z.object({ failed: z.array(z.string()), succeeded: z.array(z.string()) }) })
			.safeParse(failure.context);
		if (!named.success) {
			this.judgeFailure(failure, log, false);
			return true;
		}
		const { failed, succeeded } = named.data.companies;
		for (const id of failed) this.judgeFailure(failure, ofCompany(log, id), false);
		for (const id of succeeded)
			if (!ofCompany(log, id).some(({ status, companyId }) => companyId === id && status === 200))
				this.blame('lost', `a company is said to have worked and was not answered: ${id}`);
		return true;
	}

	private async every(node: string, operation: string, more: IDataObject) {
		const companyFilter = pick(this.next, [{}, {}, { nameContains: 'b' }]);
		const parameters = {
			operation,
			companyScope: 'every',
			companyFilter: { licenceNotExpired: false, ...companyFilter },
			...more,
		};
		const { report, log } = await this.run(
			{ node, parameters, items: [{ json: {} }], onError: this.onError(), stopAfterMs: this.maybeStop() },
			1500,
		);
		const companies = this.service.state.companies.filter(({ companyName }) =>
			(companyName ?? '').toLowerCase().includes(companyFilter.nameContains ?? ''),
		);
		return { report, log, ids: companies.map(({ companyResourceId }) => companyResourceId) };
	}

	/** Takes out what failed, judging it. @returns the companies that worked */
	private worked(ids: string[], { items, errors }: Report, log: LoggedRequest[]): Set<string> {
		const failed = [...items.map(({ json }) => json), ...errors].flatMap((json) => {
			const parsed = failedItem.safeParse(json);
			return parsed.success ? [parsed.data.error] : [];
		});
		const left = new Set(ids);
		for (const { companyResourceId, ...error } of failed) {
			if (companyResourceId === undefined) {
				this.judgeFailure(error, log, false);
				left.clear();
			} else {
				this.judgeFailure(error, ofCompany(log, companyResourceId), false);
				if (!left.delete(companyResourceId))
					this.blame('doubled', `a company failed twice, or is none: ${companyResourceId}`);
			}
		}
		return left;
	}

	private async everyCompany(
		node: string,
		route: string,
		id: string,
		expected: (company: string) => string[],
	): Promise<void> {
		const more = { returnAll: true, options: { ...this.options(), pageSize: between(this.next, 2, 40) } };
		const { report, log, ids } = await this.every(node, 'getMany', more);
		if (this.judgeWhole(report, log)) return;
		const shownRecords = report.items.filter(({ json }) => json.error === undefined);
		const worked = this.worked(ids, report, log);
		for (const company of worked) {
			const records = shownRecords
				.filter(({ json }) => json.companyResourceId === company)
				.map(({ json }) => String(json[id]));
			this.compare(`${node} of ${company}`, records, expected(company));
		}
		const extra = shownRecords.filter(({ json }) => !worked.has(String(json.companyResourceId)));
		if (extra.length > 0)
			this.blame('wrong', `${node}: ${extra.length} records of companies that failed or were not asked for (${route})`);
	}

	private async everyExport(): Promise<void> {
		const { report, log, ids } = await this.every('Leaderboard', 'export', { options: this.options() });
		if (this.judgeWhole(report, log)) return;
		const worked = this.worked(ids, report, log);
		const files = report.items.filter(({ json }) => json.error === undefined);
		this.compare(
			'companies with a file',
			files.map(({ json }) => String(json.companyResourceId)),
			[...worked],
		);
		for (const [index, { json }] of files.entries()) {
			const sent = log.findLast(
				({ companyId, sha256 }) => companyId === json.companyResourceId && sha256 !== undefined,
			);
			if (sent?.sha256 !== report.files[index]?.sha256)
				this.blame('wrong', `the file of ${String(json.companyResourceId)} is not what was sent`);
		}
	}

	private async pages(): Promise<void> {
		const parameters = {
			operation: 'getMany',
			returnAll: true,
			options: { ...this.options(), pageSize: between(this.next, 2, 30) },
		};
		const { report, log } = await this.run(
			{ node: 'Company', parameters, items: [{ json: {} }], onError: 'stopWorkflow', stopAfterMs: this.maybeStop() },
			200,
		);
		if (this.judgeWhole(report, log)) return;
		this.compare(
			'companies',
			report.items.map(({ json }) => String(json.companyResourceId)),
			this.usual,
		);
	}

	private async largeFile(): Promise<void> {
		this.service.setOptions({ exportBytes: between(this.next, 100_000, 12_000_000) });
		const parameters = { operation: 'export', companyScope: 'own' };
		const { report, log } = await this.run(
			{
				node: 'Leaderboard',
				parameters,
				items: [{ json: {} }],
				onError: 'stopWorkflow',
				stopAfterMs: this.maybeStop(),
			},
			20,
		);
		this.service.setOptions({ exportBytes: undefined });
		if (this.judgeWhole(report, log)) return;
		const sent = log.findLast(({ sha256 }) => sha256 !== undefined);
		const [file] = report.files;
		if (file?.sha256 !== sent?.sha256 || file?.bytes !== sent?.bytesSent || report.items[0]?.json.bytes !== file?.bytes)
			this.blame('wrong', `a file of ${file?.bytes} bytes, sent were ${sent?.bytesSent}`);
	}

	/** Each record once, in any order: what the service lists by is its own affair. */
	private compare(what: string, shownIds: string[], expected: string[]): void {
		const seen = new Set(shownIds);
		if (seen.size < shownIds.length) this.blame('doubled', `${what}: ${shownIds.length - seen.size} twice`);
		const missing = expected.filter((id) => !seen.has(id));
		if (missing.length > 0) this.blame('lost', `${what}: ${missing.length} of ${expected.length} are missing`);
		if (shownIds.some((id) => !expected.includes(id)))
			this.blame('wrong', `${what}: some that the service does not have`);
	}
}

/** What may be the reason for a company's failure: its own requests, and the tokens. */
const ofCompany = (log: LoggedRequest[], id: string) =>
	log.filter(({ companyId, route }) => companyId === id || route === TOKEN);
