/** What the tests of one trigger at a time share: a service of four companies with nothing in it before each test. */
import type { IDataObject } from 'n8n-workflow';
import { startService, type StandIn } from '../stand-in';
import { Active, campaignTrigger, enrollmentTrigger, PollingFixture } from './pollingFixture';

export const PHISHING = 'POST /api/phishing-simulator/phishing-campaign/search';
export const ENROLLMENTS = 'POST /api/enrollments/search';

/** A service for one test file, and triggers that poll it. */
export class TriggerFixture {
	private started: PollingFixture | undefined;

	get fixture(): PollingFixture {
		if (!this.started) throw new Error('The service is not started yet');
		return this.started;
	}

	get service(): StandIn {
		return this.fixture.service;
	}

	async start(): Promise<void> {
		this.started = new PollingFixture(await startService({ companies: 4 }));
	}

	phishing(more: IDataObject = {}): Active {
		return new Active(campaignTrigger(), { simulators: ['phishing'], companyScope: 'every', ...more }, this.service);
	}

	enrollments(more: IDataObject = {}): Active {
		return new Active(enrollmentTrigger(), { companyScope: 'every', ...more }, this.service);
	}
}

/** Starts a service for the file. Pauses between tries are random: here they are as short as they can be. */
export function triggerFixture(): TriggerFixture {
	const made = new TriggerFixture();
	beforeAll(async () => await made.start());
	beforeEach(() => {
		made.fixture.clear();
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
	afterAll(async () => await made.service.close());
	return made;
}
