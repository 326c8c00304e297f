/**
 * Makes fast-check generate the same test data in every run, so that no test fails by chance. Another value of the environment
 * variable SEED makes it generate other data.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 32) });
