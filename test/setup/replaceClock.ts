/** Replaces the nodes' clock in every test file: see testClock.ts. */
const loadTestClock = () => jest.requireActual<typeof import('./testClock')>('./testClock');

jest.mock('../../nodes/core/http/clock', () => loadTestClock());
beforeEach(() => loadTestClock().resetClock());
