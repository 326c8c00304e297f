import type { IDataObject } from 'n8n-workflow';

import { HOUR } from './deployment';
import type { Setup } from './history';
import { OWN, type ListName } from './platform';

const ALSO_FIRST_SEEN = 'alsoFirstSeen';
/** The parameters of the trigger, as n8n saves them. */
export function parametersOf(setup: Setup, simulators: readonly ListName[], now: number): IDataObject {
	const { scope, triggerOn, onlyStatuses, lateArrivals, pageSize, includeDetails, existingSince } = setup;
	const options: IDataObject = {
		...(lateArrivals !== 24 ? { lateArrivals } : {}),
		...(pageSize > 0 ? { pageSize } : {}),
		...(includeDetails ? { includeDetails: true } : {}),
		...(existingSince > 0 ? { emitExistingSince: new Date(now - existingSince * HOUR).toISOString() } : {}),
	};
	const statuses = triggerOn === 'statusChanged' ? { statuses: onlyStatuses } : {};
	return {
		...(setup.watch === 'enrollments'
			? { enrollmentType: setup.surveysOnly ? 'Survey' : 'all' }
			: { simulators: [...simulators], watch: setup.watch }),
		...{ triggerOn, companyScope: scope, options, ...statuses },
		...(setup.alsoFirstSeen ? { [ALSO_FIRST_SEEN]: true } : {}),
		...(scope === 'one' ? { company: { __rl: true, mode: 'id', value: OWN } } : {}),
		...(setup.nameContains ? { companyFilter: { nameContains: setup.nameContains } } : {}),
	};
}
