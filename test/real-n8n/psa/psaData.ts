/** The data of the PSA simulator. All of its APIs use it. */
import { isJsonObject } from '../../stand-in/http';

/** A customer in the PSA. */
export interface PsaCompany {
	id: number;
	name: string;
	/** True if the service provider no longer serves the company. Not every PSA has this field. */
	isInactive?: boolean;
}

/** A ticket of a customer in the PSA. */
export interface Ticket {
	id: number;
	companyId: number;
	/** The ID that another system gave the ticket when it created it. */
	reference: string;
	summary: string;
	/** The queue of the ticket. ConnectWise calls it the board, HaloPSA the ticket type. Autotask has the queue's ID. */
	queue: string;
	text: string;
	notes: string[];
	isClosed: boolean;
}

/** A billed product of an agreement. ConnectWise calls it an addition, HaloPSA a line of a recurring invoice. */
export interface AgreementLine {
	id: number;
	product: string;
	quantity: number;
	unitPrice: number;
	/** The date and time from which the product is no longer billed. */
	cancelledDate?: string;
}

/** An agreement with a customer, with the products that it bills. */
export interface Agreement {
	id: number;
	companyId: number;
	name: string;
	lines: AgreementLine[];
	isCancelled?: boolean;
	/** The date and time at which the agreement ends. An agreement without an end date is unlimited. */
	endDate?: string;
}

/** A change of a line's quantity by a difference, as Autotask has it. `quantity` of the line is the quantity after all adjustments. */
export interface Adjustment {
	lineId: number;
	/** The date from which the change applies, such as 2026-01-31. */
	effectiveDate: string;
	unitChange: number;
}

/** The name of the product in each agreement that bills the Security Awareness users. */
export const PRODUCT_NAME = 'Security Awareness';

const FIRST_TICKET_ID = 1000;
const BILLED_QUANTITY = 10;

/** The companies, agreements and tickets of the PSA simulator. */
export class PsaRecords {
	companies: PsaCompany[] = [];
	agreements: Agreement[] = [];
	tickets: Ticket[] = [];
	adjustments: Adjustment[] = [];

	constructor(names: string[]) {
		this.reset(names);
	}

	/**
	 * Replaces all data: creates a company for each name, with an agreement that bills Security Awareness for ten people and another
	 * product.
	 */
	reset(names: string[]): void {
		this.companies = names.map((name, index) => ({ id: index + 1, name }));
		this.agreements = this.companies.map(({ id }) => ({
			id: 100 + id,
			companyId: id,
			name: 'Managed Services',
			lines: [
				{ id: 2 * id - 1, product: 'Backup', quantity: 3, unitPrice: 9 },
				{ id: 2 * id, product: PRODUCT_NAME, quantity: BILLED_QUANTITY, unitPrice: 2.5 },
			],
		}));
		this.tickets = [];
		this.adjustments = [];
	}

	findCompany(id: number): PsaCompany | undefined {
		return this.companies.find((company) => company.id === id);
	}

	findTicket(id: number): Ticket | undefined {
		return this.tickets.find((ticket) => ticket.id === id);
	}

	/** Creates an open ticket without notes. */
	openTicket(values: Omit<Ticket, 'id' | 'notes' | 'isClosed'>): Ticket {
		const newTicket = { ...values, id: FIRST_TICKET_ID + this.tickets.length, notes: [], isClosed: false };
		this.tickets.push(newTicket);
		return newTicket;
	}

	/**
	 * Finds the company that a request is about: by an ID of a company, ticket or agreement in the request, or by the company's name
	 * in the URL.
	 */
	findCompanyOfRequest(url: string, body: unknown): PsaCompany | undefined {
		const [firstRecord] = Array.isArray(body) ? (body as unknown[]) : [body];
		const values = isJsonObject(firstRecord) ? firstRecord : {};
		const idInBody = isJsonObject(values.company) ? values.company.id : (values.client_id ?? values.companyID);
		const ticket = this.findTicket(Number(/tickets\/(\d+)/i.exec(url)?.[1] ?? values.ticket_id));
		const agreement = this.agreements.find(
			({ id }) => id === Number(/(?:agreements\/|Contracts\/|"contractID"\D+)(\d+)/.exec(url)?.[1] ?? values.ihid),
		);
		const idInUrl = /(?:company\/id=|client_id=|Client\/|"companyID"\D+)(\d+)/.exec(url)?.[1];
		const id = Number(idInBody ?? ticket?.companyId ?? agreement?.companyId ?? idInUrl);
		return this.findCompany(id) ?? this.companies.find(({ name }) => url.includes(name));
	}
}
