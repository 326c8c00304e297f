/**
 * Makes fast-check generate the same examples in every run, so that a change doesn't fail by chance. The environment variable SEED
 * selects other examples.
 */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 32) });
