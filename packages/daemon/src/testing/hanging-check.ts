import type { CheckOutcome } from '../checks/check.ts';
import { passed } from './passing-check.ts';

/** A check that runs until it is aborted, for tests that record results themselves. */
export const hangingCheck = (_: unknown, signal: AbortSignal): Promise<CheckOutcome> =>
  new Promise((resolve) => {
    const end = () => resolve({ ...passed, verdict: 'internal', error: { code: 'internal', message: 'stopped' } });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
