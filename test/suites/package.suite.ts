/** Runs the tests of the package as a whole, the examples and the stand-in, which is a simulated platform. */
import { runTogether } from './runTogether';

runTogether(
	'rules/checks',
	'rules/citations',
	'rules/forms',
	'rules/links',
	'rules/mentions',
	'rules/names',
	'rules/panel',
	'rules/requestFields',
	'rules/rules',
	'rules/steps',
	'examples/chatMessages',
	'examples/examples',
	'examples/frameworks',
	'examples/queries',
	'builder/definitions',
	'stand-in/deployed/behaviour',
	'stand-in/deployed/shapes',
	'stand-in/faults',
	'stand-in/service',
	'n8n-core/contexts',
	'real-n8n/demoServer/demoServer',
);
