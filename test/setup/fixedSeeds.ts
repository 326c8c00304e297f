/**
 * Makes fast-check generate the same test data in every run, so that no test fails by chance. Another value of the environment
 * variable SEED makes it generate other data.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 32) });

// Jest records up to 100 lines of the stack of each error. The tests create many errors, and a shorter stack makes each of them faster.
Error.stackTraceLimit = 12;
