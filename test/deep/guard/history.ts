/** Random histories: whose credential it is, what it may do, and what somebody tries with it. */
import fc from 'fast-check';
import { attack, type Attack } from './attacks';
import { RELATIONS, type Relation } from './guardFixture';
import { OFF, settings, type Settings } from './settings';
import type { FaultKind } from '../../stand-in';
import { CONTEXTS, FORMS, type Context, type Form } from './steps';

const SCOPES = ['own', 'other', 'every', 'credential'] as const;
/** Whom a list or a trigger is for. */
export type Scope = (typeof SCOPES)[number];

/** What the service does wrong in between: what is asked again, or elsewhere, is judged as well. */
const FAULTS = [
	...['expired-token', 'status-401', 'status-500', 'reset-before', 'redirect', 'wrong-shape', 'echo', 'insert'],
	...['html-200', 'forbidden-company', 'empty', 'error-envelope', 'remove'],
] as FaultKind[];

/** Something that somebody does; numbers count round. */
export type Step = { settings: number; fault: FaultKind | undefined } & (
	| {
			kind: 'run';
			which: number;
			as: 'own' | 'other';
			attacks: Attack[];
			context: Context;
			form: Form;
			two: boolean;
			continues: boolean;
	  }
	| { kind: 'pick'; which: number; scope: Scope; attacks: Attack[]; filter: boolean; goesOn: boolean }
	| {
			kind: 'poll';
			which: number;
			scope: Scope;
			attacks: Attack[];
			isManual: boolean;
			isStatus: boolean;
			details: boolean;
	  }
);

/** What somebody does, one thing after the other, with the same credential, whose settings change in between. */
export interface History {
	own: number;
	relation: Relation;
	any: number;
	/** How many more companies may be named. */
	more: number;
	/** What somebody has called the two companies; as they are called, where it is undefined. */
	names: number | undefined;
	settings: Settings[];
	steps: Step[];
}

const number = fc.nat(10_000);
/** Every so often there is none: what somebody does who means well. */
const attacks = (honest: number, most: number): fc.Arbitrary<Attack[]> =>
	fc.oneof(
		{ weight: honest, arbitrary: fc.constant<Attack[]>([]) },
		{ weight: 5, arbitrary: fc.array(attack, { minLength: 1, maxLength: most }) },
	);
const one = {
	settings: fc.nat(1),
	fault: fc.oneof(
		{ weight: 8, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.constantFrom(...FAULTS) },
	),
};
const runStep = fc.record({
	...{
		...one,
		kind: fc.constant('run' as const),
		which: number,
		as: fc.constantFrom('own' as const, 'own' as const, 'other' as const),
	},
	...{ attacks: attacks(2, 3) },
	...{
		context: fc.constantFrom(...CONTEXTS),
		form: fc.constantFrom(...FORMS),
		two: fc.boolean(),
		continues: fc.boolean(),
	},
});
const pickStep = fc.record({
	...{ ...one, kind: fc.constant('pick' as const), which: number, scope: fc.constantFrom(...SCOPES) },
	...{ attacks: attacks(5, 2), filter: fc.boolean(), goesOn: fc.boolean() },
});
const pollStep = fc.record({
	...{ ...one, kind: fc.constant('poll' as const), which: number, scope: fc.constantFrom(...SCOPES) },
	...{ attacks: attacks(5, 2) },
	...{ isManual: fc.boolean(), isStatus: fc.boolean(), details: fc.boolean() },
});

/** @param most how many steps a history has at most */
export const histories = (most: number): fc.Arbitrary<History> =>
	fc.record({
		...{ own: number, relation: fc.constantFrom(...RELATIONS), any: number, more: fc.constantFrom(0, 0, 1, 3) },
		names: fc.option(number, { nil: undefined, freq: 3 }),
		settings: fc.oneof(
			{ weight: 3, arbitrary: fc.array(settings, { minLength: 1, maxLength: 2 }) },
			// What was learnt while everything was allowed.
			{ weight: 1, arbitrary: settings.map((later) => [OFF, later]) },
		),
		steps: fc.array(
			fc.oneof(
				{ weight: 8, arbitrary: runStep },
				{ weight: 2, arbitrary: pickStep },
				{ weight: 1, arbitrary: pollStep },
			),
			{ minLength: 1, maxLength: most },
		),
	});
