/** Every run tries the same examples: a change is not refused for what only an unlucky draw finds. SEED names another draw. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.SEED ?? 32) });
