import type { IPollFunctions } from 'n8n-workflow';

import { fold } from '../answer/fileName';
import { collection } from '../form/collection';
import type { FieldMap, Values } from '../form/field';
import { FormValues } from '../form/formValues';
import { scopeOf, type ScopeChoice } from '../scope/scope';
import { DEFAULT_SETTINGS, Service } from '../transport/service';
import { eventFields, formOfTrigger, optionFields } from './fields';
import { fingerprint } from './state';
import type { Kind, TriggerForm, TriggerSpec } from './trigger';

/** What a person chose. */
export interface Choices {
	watchesStatus: boolean;
	/** Folded; empty for any. */
	statuses: string[];
	alsoFirstSeen: boolean;
	scope: ScopeChoice;
	kinds: Kind[];
	options: Partial<Values<typeof optionFields>>;
}

/** Reads the form. @throws InvalidInput */
export async function readForm(context: IPollFunctions, spec: TriggerForm): Promise<FormValues> {
	const { parameters, typeVersion: version } = context.getNode();
	const raw = (name: string): unknown => (name in parameters ? (context.getNodeParameter(name) ?? null) : undefined);
	const upload = () => Promise.reject(new TypeError('A trigger has no input'));
	const item = { timezone: context.getTimezone(), version, upload };
	return (await FormValues.read(formOfTrigger(spec), raw, item)).valid();
}

/** What the values of the form mean. @throws InvalidInput */
export function choicesOf<F extends FieldMap>(form: FormValues, spec: TriggerSpec<F>): Choices {
	const kinds = spec.kinds(form.of(spec.fields));
	const { triggerOn, statuses, alsoFirstSeen } = form.of(eventFields);
	const scope = scopeOf('companies', form);
	const { options } = form.of({ options: collection({ displayName: 'Options', fields: optionFields }) });
	return {
		watchesStatus: triggerOn === 'statusChanged',
		statuses: (statuses ?? []).map(fold),
		alsoFirstSeen: alsoFirstSeen === true,
		...{ scope, kinds, options },
	};
}

/** Whether a record has a status that is looked for. */
export const isStatusWanted = ({ watchesStatus, statuses }: Choices, status: string): boolean =>
	!watchesStatus || statuses.length === 0 || statuses.includes(fold(status));

/** A change of the credential takes effect after so long, in ms. n8n 2.x needs 60 ms of CPU to read it. */
const CREDENTIAL_AGE_MS = 1000;

/** Opens the service for a poll. @param longestMs how long to wait for an answer at most @throws InvalidInput */
export async function openService(context: IPollFunctions, { options }: Choices, longestMs: number): Promise<Service> {
	return await Service.open(context, {
		concurrency: options.concurrency ?? DEFAULT_SETTINGS.concurrency,
		timeoutMs: Math.min((options.timeout ?? Infinity) * 1000, DEFAULT_SETTINGS.timeoutMs, longestMs),
		credentialAgeMs: CREDENTIAL_AGE_MS,
	});
}

/** Stands for what decides what a kind lists and gives, and for the companies that were chosen. Another client sees other lists. */
export function settingsOf({ scope, watchesStatus, options }: Choices, { address, clientId }: Service) {
	const shared = [address, clientId, watchesStatus, options.emitExistingSince ?? null];
	return {
		of: ({ contract, body }: Kind) => fingerprint([...shared, contract, body ?? null]),
		scope: fingerprint(scope.kind === 'one' ? scope.company.id : scope),
	};
}
