// The environment that the tests have otherwise, and the mutants in it.
const { mutationEnvironment } = require('./mutationEnvironment.ts');

const loaded = require(process.env.MUTATION_ENVIRONMENT);
module.exports = mutationEnvironment(loaded.default ?? loaded.TestEnvironment ?? loaded);
