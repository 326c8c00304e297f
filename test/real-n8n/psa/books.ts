/** What the stand-in PSA holds, whichever dialect it is asked in. */
import { isRow } from '../../stand-in/http';

export interface PsaCompany {
	id: number;
	name: string;
	/** True for a client that is no longer served. Not every PSA has this. */
	isInactive?: boolean;
}

export interface Ticket {
	id: number;
	companyId: number;
	/** The reference that another system has given it. */
	reference: string;
	summary: string;
	/** The board of one dialect, the ticket type of the other. */
	queue: string;
	text: string;
	notes: string[];
	isClosed: boolean;
}

/** What is billed for one thing: an addition of one dialect, a line of a recurring invoice of the other. */
export interface Line {
	id: number;
	product: string;
	quantity: number;
	unitPrice: number;
	/** The date and time from which it is no longer billed. */
	cancelledDate?: string;
}

export interface Agreement {
	id: number;
	companyId: number;
	name: string;
	lines: Line[];
	isCancelled?: boolean;
	/** The last day, as date and time. Without it the agreement goes on. */
	endDate?: string;
}

/** What agreements bill for. */
export const PRODUCT = 'Security Awareness';

const FIRST_TICKET = 1000;
const QUANTITY = 10;

export class Books {
	companies: PsaCompany[] = [];
	agreements: Agreement[] = [];
	tickets: Ticket[] = [];

	constructor(names: string[]) {
		this.fill(names);
	}

	/** Begins anew: a company for each name, with an agreement that bills ten people, and something else. */
	fill(names: string[]): void {
		this.companies = names.map((name, index) => ({ id: index + 1, name }));
		this.agreements = this.companies.map(({ id }) => ({
			id: 100 + id,
			companyId: id,
			name: 'Managed Services',
			lines: [
				{ id: 2 * id - 1, product: 'Backup', quantity: 3, unitPrice: 9 },
				{ id: 2 * id, product: PRODUCT, quantity: QUANTITY, unitPrice: 2.5 },
			],
		}));
		this.tickets = [];
	}

	company(id: number): PsaCompany | undefined {
		return this.companies.find((company) => company.id === id);
	}

	ticket(id: number): Ticket | undefined {
		return this.tickets.find((ticket) => ticket.id === id);
	}

	/** Opens a ticket. */
	open(ticket: Omit<Ticket, 'id' | 'notes' | 'isClosed'>): Ticket {
		const opened = { ...ticket, id: FIRST_TICKET + this.tickets.length, notes: [], isClosed: false };
		this.tickets.push(opened);
		return opened;
	}

	/** Which company a request is about: by a name or a ticket in its address, or by what it writes. */
	companyOf(url: string, body: unknown): PsaCompany | undefined {
		const [first] = Array.isArray(body) ? (body as unknown[]) : [body];
		const written = isRow(first) ? first : {};
		const of = isRow(written.company) ? written.company.id : written.client_id;
		const ticket = this.ticket(Number(/tickets\/(\d+)/i.exec(url)?.[1] ?? written.ticket_id));
		const agreement = this.agreements.find(
			({ id }) => id === Number(/agreements\/(\d+)/.exec(url)?.[1] ?? written.ihid),
		);
		const asked = /(?:company\/id=|client_id=|Client\/)(\d+)/.exec(url);
		const id = Number(of ?? ticket?.companyId ?? agreement?.companyId ?? asked?.[1]);
		return this.company(id) ?? this.companies.find(({ name }) => url.includes(name));
	}
}
