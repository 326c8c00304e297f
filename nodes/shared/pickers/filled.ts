import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { enteredIn, isRecord } from '../form/value';
import { asError, InvalidInput, rethrow } from '../transport/errors';
import { parseId } from '../transport/request';
import { DEFAULT_SETTINGS, Service } from '../transport/service';
import { listCompanies } from './companies';
import { companyNamed, isInNameMode } from './companyName';
import type { Filled } from './listing';

/** How long to wait for an answer: a person looks at the open list and cannot stop the request. */
const PICKER_TIMEOUT_MS = 30_000;

const notFilledIn = (label: string) =>
	new InvalidInput('must be filled in first', [label], `Choose '${label}', then open this list again.`);

/** Gives access to the other fields of the form while a list is open in the editor. */
export function filledIn(context: ILoadOptionsFunctions): Filled {
	const text = (field: string, label: string) => {
		const raw: unknown = context.getCurrentNodeParameter(field);
		const value = enteredIn(raw);
		if (typeof value === 'string' && value.startsWith('='))
			throw new InvalidInput(
				'is an expression, whose value is only known when the workflow runs',
				[label],
				`Choose a fixed value in '${label}' to see this list, or enter the ID here.`,
			);
		if (typeof value === 'number') return String(value);
		if (typeof value === 'string' && value.trim() !== '') return value;
		throw notFilledIn(label);
	};
	const id = (field: string, label: string) => {
		const value = text(field, label);
		try {
			return parseId(value);
		} catch (error) {
			throw error instanceof InvalidInput ? notFilledIn(label) : asError(error);
		}
	};
	const open = async () => await Service.open(context, { ...DEFAULT_SETTINGS, timeoutMs: PICKER_TIMEOUT_MS });
	const named = async (name: string) => {
		try {
			return companyNamed(name, (await listCompanies(await open())).records);
		} catch (error) {
			return await rethrow(error instanceof InvalidInput ? error.within('Company') : error);
		}
	};
	return {
		open,
		parameters: () => {
			const all: unknown = context.getCurrentNodeParameters();
			return isRecord(all) ? all : {};
		},
		id,
		text,
		beside: (field) => {
			// n8n's way to say: in the row of the field whose list is open.
			const raw: unknown = context.getCurrentNodeParameter(`&${field}`);
			const value = enteredIn(raw);
			return typeof value === 'string' && !value.startsWith('=') ? value.trim() : '';
		},
		company: async () => {
			if (context.getCurrentNodeParameter('companyScope') !== 'one') return undefined;
			const isNamed = isInNameMode(context.getCurrentNodeParameter('company'));
			return isNamed ? await named(text('company', 'Company')) : { id: id('company', 'Company'), name: '' };
		},
	};
}
