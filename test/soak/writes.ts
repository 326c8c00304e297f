import { z } from 'zod';
import { CustomerFixture } from '../cases';
import { TOKEN } from '../cases/operationFixture';
import { between } from '../stand-in/random';
import { failedItem, Workload, type Ways } from './workload';

/** Writes, one for each of many items. */
export class Writes extends Workload {
	private made = 0;

	static async start(ways: Ways): Promise<Writes> {
		return new Writes('writes', ways, await CustomerFixture.start({ companies: 40 }));
	}

	async round(): Promise<void> {
		this.service.reset();
		const names = Array.from({ length: between(this.next, 1, 30) }, () => `Group ${++this.made}`);
		const parameters = { operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' };
		const onError = this.onError();
		const { report, log } = await this.run(
			{ node: 'CompanyGroup', parameters, items: names.map((name) => ({ json: { name } })), onError },
			150,
		);
		const there = new Map<string, number>();
		for (const { name } of this.service.state.groups) there.set(name, (there.get(name) ?? 0) + 1);
		const times = (name: string) => there.get(name) ?? 0;
		for (const name of names) if (times(name) > 1) this.blame('doubled', `${name} was created ${times(name)} times`);
		const requestsOf = (name: string) =>
			log.filter(({ route, body }) => route === TOKEN || z.object({ name: z.literal(name) }).safeParse(body).success);
		if (report.failure) {
			const { itemIndex = 0 } = z.object({ itemIndex: z.number().optional() }).parse(report.failure.context);
			this.judgeFailure(report.failure, requestsOf(names[itemIndex] ?? ''), true);
			for (const [index, name] of names.entries()) {
				if (index < itemIndex && times(name) === 0) this.blame('lost', `${name} was passed and does not exist`);
				if (index > itemIndex && times(name) > 0) this.blame('wrong', `${name} was created after the run had failed`);
			}
			return;
		}
		const told = new Set<string>();
		for (const { json } of report.items.filter((item) => item.json.error === undefined)) {
			const name = String(json.name);
			told.add(name);
			if (times(name) === 1) this.tally.written++;
			else if (times(name) === 0) this.blame('lost', `${name} is said to be created and does not exist`);
		}
		const failed = names.filter((name) => !told.has(name));
		const errors = [
			...report.items.filter(({ json }) => json.error !== undefined).map(({ json }) => json),
			...report.errors,
		].map((json) => failedItem.parse(json).error);
		if (failed.length !== errors.length)
			this.blame('lost', `${names.length} items, ${told.size} created, ${errors.length} failed`);
		for (const name of failed) this.judgeFailure(errors[0] ?? { message: '', description: '' }, requestsOf(name), true);
	}
}
