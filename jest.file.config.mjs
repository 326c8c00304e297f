import createConfig from './jest.config.mjs';

/** Configures `npm run test:file`, which runs single test files. */
export default async () => ({ ...(await createConfig()), testMatch: ['**/*.test.ts'] });
