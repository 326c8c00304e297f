import type { Answer, Produced } from '../answer/answer';
import type { ListShape } from '../answer/paging';
import type { FieldMap, Values } from '../form/field';
import type { ScopeKind } from '../scope/scope';
import type { ContractKey, ServiceRequest } from '../transport/request';
import { forCompany, toolsOf, type Tools } from './composite';
import { extrasOf, withExtras } from './extras';
import { formOf } from './form';
import { wordsIn, type Operation, type RequestParts, type Task, type Words } from './operation';

interface Definition<K extends ContractKey, F extends FieldMap> extends Words {
	/** The row of the contract's section 4 that this is. */
	contract: K;
	/** Other addresses at which deployments have the same operation, asked in turn where one is not known (404). */
	fallbackContracts?: readonly ContractKey[];
	/** Rows of the contract by which `perform` does the same on deployments that lack this one. */
	substituteContracts?: readonly ContractKey[];
	/** Whether the request has no body to add fields to. */
	noBody?: boolean;
	/** Whether it changes something although it is a GET, so that it must not be repeated. */
	hasSideEffects?: boolean;
	scope: ScopeKind;
	fields: F;
	/** Shapes the parsed values. @throws InvalidInput for what no single field can tell */
	request: (values: Values<F>) => RequestParts<K>;
	answer: Answer;
	/**
	 * Runs it where one request does not do, because deployments differ: asks in more than one way, or completes what
	 * came. Left out, the request is sent and its answer is the output.
	 */
	perform?: (values: Values<F>, tools: PerformTools) => Promise<Produced[]>;
}

/** Another request than the operation's own: what it does not name is taken from that. */
type RequestOverrides = Partial<Pick<ServiceRequest, 'contract' | 'path' | 'query' | 'fallbackContracts'>>;

/** What `perform` works with. */
export interface PerformTools extends Pick<Tools, 'session' | 'ask'> {
	/**
	 * Sends the operation's request, or another one, and reads the answer as the operation does.
	 * @param shape how a list is to be read besides that: which records are wanted, say
	 * @throws ServiceError
	 */
	send: (overrides?: RequestOverrides, shape?: Partial<ListShape>) => Promise<Produced[]>;
}

/** An operation that is one row of the contract. */
export function defineOperation<const K extends ContractKey, F extends FieldMap>(
	definition: Definition<K, F>,
): Operation {
	const { contract, scope, fields, request, answer, perform } = definition;
	const { fallbackContracts = [], substituteContracts = [], hasSideEffects = false } = definition;
	const reads = (contract.startsWith('GET ') && !hasSideEffects) || answer.reads;
	const extras = extrasOf(definition);
	const words = wordsIn(definition);
	return {
		...words,
		...{ contract, fallbackContracts, substituteContracts, scope, reads },
		form: formOf({
			...{ scope, reads },
			fields: { ...withExtras(fields, extras), ...answer.fields },
			options: { ...answer.options, ...extras.options },
		}),
		task: (form): Task => {
			const values = form.of(fields);
			const asked: ServiceRequest = {
				...{ contract, purpose: words.purpose, repeatable: reads },
				...(fallbackContracts.length > 0 ? { fallbackContracts } : {}),
				...extras.addTo(request(values), form),
			};
			return {
				runFor: async (session) => {
					const own = forCompany(asked, session);
					const send: PerformTools['send'] = async (overrides = {}, shape) => {
						const query = { ...own.query, ...overrides.query };
						return await answer.collect({ ...own, ...overrides, query }, form, session, shape);
					};
					return perform ? await perform(values, { ...toolsOf(session), send }) : await send();
				},
			};
		},
	};
}
