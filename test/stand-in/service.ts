import type { Faults } from './faults';
import type { LiveOptions, Route } from './http';
import type { RequestLog } from './log';
import type { Personality } from './personality';
import type { Tokens } from './tokens';
import type { World } from './world';

/** Everything that lives as long as the service does. */
export interface Service {
	world: World;
	readonly options: LiveOptions;
	readonly personality: Personality;
	readonly routes: readonly Route[];
	readonly tokens: Tokens;
	readonly log: RequestLog;
	readonly faults: Faults;
	baseUrl: string;
}
