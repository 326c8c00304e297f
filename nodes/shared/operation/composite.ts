import type { IDataObject } from 'n8n-workflow';

import type { Produced, Session } from '../answer/answer';
import { remarkOn, type ListShape } from '../answer/paging';
import { readSearch } from '../answer/search';
import type { FieldMap, Values } from '../form/field';
import type { ScopeKind } from '../scope/scope';
import type { Envelope } from '../transport/envelope';
import type { ServiceRequest } from '../transport/request';
import { formOf } from './form';
import { fitted } from './output';
import { wordsIn, type AnyRequestParts, type Operation, type Task, type Words } from './operation';

/** The functions that a composite operation, one that combines several requests, can use in `run`. */
export interface Tools {
	session: Session;
	/** Sends the request of one step for the current company. @returns its answer @throws ServiceError */
	ask: (step: Operation, parts: AnyRequestParts) => Promise<Envelope>;
	/** Reads the whole list of one step, all pages, for the current company. @throws ServiceError */
	list: (step: Operation, parts: AnyRequestParts, shape: ListShape) => Promise<IDataObject[]>;
	/** Cancels the requests that are sent with these tools. */
	signal?: AbortSignal | undefined;
	/** The same tools with another signal, for functions that run in parallel (see `runTogether`). */
	withSignal: (signal: AbortSignal) => Tools;
}

interface Composite<F extends FieldMap> extends Words {
	scope: ScopeKind;
	fields: F;
	/** Whether it only reads, so that items may run in parallel. */
	reads: boolean;
	/** The operations whose requests it sends; Check Access and the documentation take the permissions from them. */
	steps: readonly Operation[];
	run: (values: Values<F>, tools: Tools) => Promise<Produced[]>;
	/** As in `defineOperation`. */
	output?: (json: IDataObject, values: Values<F>) => IDataObject;
}

/**
 * Defines a composite: an operation of this package that combines the requests of several other operations, such as
 * 'Create and Send Enrollment'. The contract has no row for it.
 * @param definition its texts, its fields, and `run`, which sends the requests for one item and one company
 * @returns the operation in the form that the engine runs
 */
export function defineComposite<F extends FieldMap>(definition: Composite<F>): Operation {
	const { scope, fields, reads, steps, run, output } = definition;
	return {
		...wordsIn(definition),
		...{ contract: null, fallbackContracts: [], substituteContracts: [], isOptional: false, steps, scope, reads },
		form: formOf({ scope, fields, options: {}, reads }),
		task: (form): Task => {
			const values = form.of(fields);
			return {
				runFor: async (session) => {
					session.service.allowance.checkAll(steps.flatMap(({ contract }) => contract ?? []));
					return fitted(await run(values, toolsOf(session)), session, output && ((json) => output(json, values)));
				},
			};
		},
	};
}

/**
 * The request for the session's company. Reads are also cancelled when another item fails the node (the session's
 * signal); a write is cancelled only when the person presses Stop.
 */
export const forCompany = (request: ServiceRequest, { company, signal }: Session): ServiceRequest => ({
	...request,
	...(company ? { company } : {}),
	...(request.repeatable && !request.signal ? { signal } : {}),
});

/**
 * The tools of a composite for one item and one company.
 * @param signal cancels the requests that are sent with these tools
 */
export function toolsOf(session: Session, signal?: AbortSignal): Tools {
	const { service, hint } = session;
	const requestOf = (step: Operation, parts: AnyRequestParts): ServiceRequest => {
		if (step.contract === null) throw new TypeError(`${step.value} is no single request`);
		const { contract, fallbackContracts, isOptional, purpose, reads: repeatable } = step;
		const request = {
			...parts,
			contract,
			fallbackContracts,
			isOptional,
			purpose,
			repeatable,
			...(signal ? { signal } : {}),
		};
		return forCompany(request, session);
	};
	return {
		session,
		ask: async (step, parts) => await service.json(requestOf(step, parts)),
		list: async (step, parts, shape) => {
			const rules = { isOwnOrder: true, hint };
			const found = await readSearch(service, requestOf(step, parts), { limit: Infinity }, shape, rules);
			const remark = remarkOn(found);
			if (remark !== undefined) hint(remark);
			return found.records;
		},
		signal,
		withSignal: (own) => toolsOf(session, own),
	};
}
