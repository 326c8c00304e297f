const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs the test files in the order of MUTATION_ORDER, in which the files that notice a mutant early come first. */
module.exports = class GivenOrder extends Sequencer {
	sort(tests) {
		const order = (process.env.MUTATION_ORDER ?? '').split(',');
		const rank = ({ path }) => order.findIndex((file) => path.endsWith(`/${file}`));
		return [...tests].sort((a, b) => rank(a) - rank(b));
	}
};
