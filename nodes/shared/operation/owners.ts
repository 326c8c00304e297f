import type { IDataObject } from 'n8n-workflow';

import type { Owner, Produced } from '../answer/answer';
import { idBy } from '../answer/collected';
import { ownerOf } from '../answer/owner';
import { identityOf } from '../answer/paging';
import { companyOf } from '../pickers/companies';
import { comparable } from '../pickers/companyName';
import { counted } from '../transport/counted';
import type { Share } from './failures';
import type { Operation } from './operation';

const WHAT_TO_DO =
	"Your platform may not know the header that says which customer a request is for. Ask the platform for the header's name and enter it in the credential, in 'Company Header Name'.";

const isSame = (one: unknown, other: unknown) =>
	typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();

/** The companies that the credential manages, as far as their list was read. */
class Known {
	private readonly byId = new Map<string, IDataObject>();
	private readonly ids = new Map<string, string[]>();

	/** @param records the list with `parentCompanyResourceId`; undefined if it was not read */
	constructor(readonly records: readonly IDataObject[] | undefined) {
		for (const record of records ?? []) {
			const { id, name } = companyOf(record);
			this.byId.set(id.toLowerCase(), record);
			this.ids.set(comparable(name), [...this.idsOf(name), id]);
		}
	}

	private of(id: string): IDataObject {
		return this.byId.get(id.toLowerCase()) ?? {};
	}

	nameOf(id: string): string {
		return companyOf(this.of(id)).name;
	}

	idsOf(name: string): string[] {
		return this.ids.get(comparable(name)) ?? [];
	}

	/** Whether a company is a child company of another, at any depth. */
	isBelow(id: string, top: string): boolean {
		const seen = new Set<string>();
		for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
			seen.add(next);
			next = identityOf(this.of(next), ['parentCompanyResourceId']);
			if (isSame(next, top)) return true;
		}
		return false;
	}
}

/** Finds out whose the records of a run are, and whether they are of the companies that were asked for. */
export class Owners {
	private known = new Known(undefined);
	private strangers = 0;
	private example: string | undefined;
	private mayBeBelow = false;
	private readonly hints = new Set<string>();

	/**
	 * What says of which company each item of a share is.
	 * @param stamp what is known from the request
	 * @param records all companies, if their list was read
	 * @returns for each item: its own company where it names one, and the stamp otherwise
	 */
	stampsOf(
		items: Produced[],
		stamp: IDataObject,
		{ scope, owned }: Operation,
		records: readonly IDataObject[] | undefined,
	): IDataObject[] {
		if (scope === 'credential') return [];
		if (this.known.records !== records) this.known = new Known(records);
		const owners = items.map(({ json, owner }) => owner ?? ownerOf(json).owner);
		// A company has one name, so of several names at most one is that of the company that was asked for.
		const names = new Set(owners.map((owner) => owner?.name).filter((name) => name !== undefined));
		const hasOthers = owned !== undefined && new Set([...names].map(comparable)).size > 1;
		const stamps = new Map<string, IDataObject>();
		return owners.map((owner) => {
			if (!owner) return stamp;
			const key = JSON.stringify([owner.id, owner.name]);
			const own = stamps.get(key) ?? this.ownStampOf(owner, stamp, hasOthers);
			stamps.set(key, own);
			if (own !== stamp && owned !== undefined) this.note(own, stamp);
			return own;
		});
	}

	/**
	 * The stamp of a record that names a company: one company's ID is never combined with another's name.
	 * @param hasOthers whether records beside it name other companies
	 */
	private ownStampOf({ id, name }: Owner, stamp: IDataObject, hasOthers: boolean): IDataObject {
		const { known } = this;
		if (id !== undefined) {
			if (isSame(id, stamp.companyResourceId)) return stamp;
			const companyName = name ?? known.nameOf(id);
			return { ...(companyName === '' ? {} : { companyName }), companyResourceId: id };
		}
		if (name === undefined || typeof stamp.companyResourceId !== 'string') return stamp;
		const asked = typeof stamp.companyName === 'string' ? stamp.companyName : known.nameOf(stamp.companyResourceId);
		if (comparable(asked) === comparable(name)) return stamp;
		const ids = known.idsOf(name);
		if (ids.some((each) => isSame(each, stamp.companyResourceId))) return stamp;
		const [only, ...others] = ids;
		if (only !== undefined && others.length === 0) return { companyName: name, companyResourceId: only };
		// A name that no company in the list has may be another spelling of the company that was asked for.
		return only !== undefined || (hasOthers && known.records === undefined) ? { companyName: name } : stamp;
	}

	private note({ companyResourceId: id, companyName }: IDataObject, asked: IDataObject): void {
		const top = asked.companyResourceId;
		if (typeof top !== 'string' || (typeof id === 'string' && this.known.isBelow(id, top))) return;
		this.strangers++;
		this.mayBeBelow ||= this.known.records === undefined;
		const [of, wanted] = [companyName ?? id, asked.companyName ?? top].map(String);
		this.example ??= `one is of '${of}' and was returned for '${wanted}'`;
	}

	/**
	 * Notes whether all companies that have records have the same ones.
	 * @param owned what identifies a record that belongs to one company only; undefined if companies share records
	 */
	compare(shares: readonly Share[], owned: Operation['owned']): void {
		if (owned === undefined) return;
		const lists = shares.flatMap(({ outcome }) => (outcome.ok && outcome.value.length > 0 ? [outcome.value] : []));
		const [first, ...others] = lists;
		if (!first || others.length === 0 || others.some(({ length }) => length !== first.length)) return;
		const idsOf = (items: Produced[]) => items.map(({ json }) => idBy(owned, json) ?? '').sort();
		const ids = idsOf(first);
		if (ids.includes('') || !others.every((items) => idsOf(items).every((id, index) => id === ids[index]))) return;
		this.hints.add(
			`All ${counted(lists.length, 'company')} that have results have exactly the same: ${counted(first.length, 'result')}. So these may not be of the company that they are listed for. ${WHAT_TO_DO}`,
		);
	}

	/** Hints for the person about records that may not be of the company that was asked for. */
	remarks(): string[] {
		if (this.strangers === 0) return [...this.hints];
		const below = this.mayBeBelow ? ' A parent company may rightly have records of its child companies. If not: ' : ' ';
		return [
			...this.hints,
			`${counted(this.strangers, 'result')} ${this.strangers === 1 ? 'names' : 'name'} another company than the one that was asked for: ${this.example}.${below}${WHAT_TO_DO}`,
		];
	}
}
