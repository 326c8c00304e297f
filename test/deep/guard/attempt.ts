/** One operation, list or poll under settings that are plain, and what arrived of it. */
import type { IDataObject } from 'n8n-workflow';
import type { Case, Run } from '../../cases';
import type { Company } from '../../stand-in/seed';
import type { Arrived } from './front';
import type { GuardFixture } from './guardFixture';
import { judged } from './judge';
import { OFF, rulesOf, type Settings } from './settings';
import type { Said } from './leaks';
import { run, type Context, type Form } from './steps';

/** Settings of a credential, as one chooses them; what is not named is not set. */
export const limits = (more: Partial<Settings>): Settings => ({ ...OFF, ...more });

/** Only the companies that are listed. */
export const LISTED: Settings = limits({
	only: true,
	list: { write: (ids) => ids.join(', '), bound: (ids) => ids, clear: true },
});
/** No company is listed. */
export const EMPTY: Settings = limits({ only: true });

export interface Attempt {
	said: Said;
	arrived: Arrived[];
	/** What is not as the settings say. */
	wrong: string[];
	/** How the operation was prepared. */
	prepared: Run;
}

interface Attempted {
	settings: Settings;
	found: Case;
	/** Whom it is for. */
	company: Company;
	/** The companies that may be named, and one that may not. */
	own: Company;
	other: Company;
	context: Context;
	form?: Form;
	/** What is written into the form. */
	change?: (parameters: IDataObject) => IDataObject;
}

/** Runs an operation, and judges what arrived. */
export async function attempt(fixture: GuardFixture, attempted: Attempted): Promise<Attempt> {
	const { settings, found, company, own, other, context, form = 'fixed', change = (same) => same } = attempted;
	const { customer, front } = fixture;
	customer.service.reset();
	const [ids, stranger] = [[own.companyResourceId], other.companyResourceId];
	fixture.use(settings, ids, stranger);
	const prepared = await found.prepare(customer.of(company), context === 'sign' || context === 'both');
	front.take();
	const { known } = fixture;
	const { parameters, files } = prepared;
	const said = await run(fixture, { ...found, parameters: change(parameters), files, context, form, continues: false });
	const arrived = front.take();
	const isAgent = context !== 'plain';
	const rules = rulesOf(settings, ids, stranger, isAgent);
	const { belongings } = fixture;
	const wrong = judged({ arrived, said }, rules, isAgent, { known, belongings, given: stranger });
	return { said, arrived, wrong, prepared };
}
