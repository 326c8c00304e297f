import type { IDataObject } from 'n8n-workflow';

import type { Answer, Answered } from '../answer/answer';
import { totalLimitOf, withTotalLimit } from '../answer/limits';
import type { ListShape } from '../answer/paging';
import type { FieldMap, Values } from '../form/field';
import type { ScopeKind } from '../scope/scope';
import type { ContractKey, ServiceRequest } from '../transport/request';
import { forCompany, toolsOf, type Tools } from './composite';
import { extrasOf, withExtras } from './extras';
import { formOf } from './form';
import { fitted } from './output';
import { wordsIn, type Operation, type RequestParts, type Task, type Words } from './operation';

interface Definition<K extends ContractKey, F extends FieldMap> extends Words {
	/** The method and path of its request, as in section 4 of the contract. */
	contract: K;
	/** Other paths at which deployments have the same operation; the next is tried after a 404. */
	fallbackContracts?: readonly ContractKey[];
	/** Other rows of the contract with which `perform` gets the same result on deployments that lack this one. */
	substituteContracts?: readonly ContractKey[];
	/** Whether section 4 of the contract does not have it, so that a deployment may lack it. */
	isOptional?: boolean;
	/** Whether the request has no body to add fields to. */
	noBody?: boolean;
	/** Whether it changes something although it is a GET, so that it must not be repeated. */
	hasSideEffects?: boolean;
	scope: ScopeKind;
	fields: F;
	/**
	 * Turns the parsed values into the parts of the request.
	 * @throws InvalidInput for values that are only wrong in combination
	 */
	request: (values: Values<F>) => RequestParts<K>;
	answer: Answer;
	/**
	 * Adds to each item what other operations need of it: nodes of version 1.1 and newer do so.
	 * @param sent the body, with what a person added to it
	 */
	output?: (json: IDataObject, values: Values<F>, sent: Record<string, unknown>) => IDataObject;
	/**
	 * Runs the operation if one request is not enough because deployments differ: sends other forms of the request, or adds
	 * to the answer. Without it, the request is sent and its answer is the output.
	 */
	perform?: (values: Values<F>, tools: PerformTools) => Promise<Answered[]>;
}

/** Changes to the operation's own request; absent parts stay as they are, and so do absent fields of query and body. */
type RequestOverrides = Partial<Pick<ServiceRequest, 'contract' | 'path' | 'query' | 'body' | 'fallbackContracts'>>;

/** The functions that `perform` can use. */
export interface PerformTools extends Pick<Tools, 'session' | 'ask' | 'list'> {
	/**
	 * Sends the operation's request, or a changed one, and reads the answer in the operation's way.
	 * @param shape how to read a list in addition to that, for example which records to keep
	 * @throws ServiceError
	 */
	send: (overrides?: RequestOverrides, shape?: Partial<ListShape>) => Promise<Answered[]>;
}

/**
 * Defines an operation that is one row of the contract.
 * @param definition its texts, its fields, how it makes a request from their values, and what kind of answer it has
 * @returns the operation in the form that the engine runs
 */
export function defineOperation<const K extends ContractKey, F extends FieldMap>(
	definition: Definition<K, F>,
): Operation {
	const { contract, scope, fields, request, answer, output, perform } = definition;
	const { fallbackContracts = [], substituteContracts = [], isOptional = false, hasSideEffects = false } = definition;
	const reads = (contract.startsWith('GET ') && !hasSideEffects) || answer.reads;
	const extras = extrasOf(definition);
	const answerFields = scope === 'companies' ? withTotalLimit(answer.fields) : answer.fields;
	const words = wordsIn(definition);
	return {
		...words,
		...{ contract, fallbackContracts, substituteContracts, isOptional, scope, reads },
		form: formOf({
			...{ scope, reads },
			fields: { ...withExtras(fields, extras), ...answerFields },
			options: { ...answer.options, ...extras.options },
		}),
		task: (form): Task => {
			const values = form.of(fields);
			const asked: ServiceRequest = {
				...{ contract, purpose: words.purpose, repeatable: reads },
				...(fallbackContracts.length > 0 ? { fallbackContracts } : {}),
				...(isOptional ? { isOptional } : {}),
				...extras.addTo(request(values), form),
			};
			const sent = { ...asked.body, ...asked.form, ...asked.more };
			return {
				most: totalLimitOf(form, answerFields),
				runFor: async (session) => {
					const own = forCompany(asked, session);
					const send: PerformTools['send'] = async (overrides = {}, shape) => {
						const query = { ...own.query, ...overrides.query };
						const body = overrides.body ? { body: { ...own.body, ...overrides.body } } : {};
						return await answer.collect({ ...own, ...overrides, ...body, query }, form, session, shape);
					};
					const produced = perform ? await perform(values, { ...toolsOf(session), send }) : await send();
					return fitted(produced, session, output && ((json) => output(json, values, sent)));
				},
			};
		},
	};
}
