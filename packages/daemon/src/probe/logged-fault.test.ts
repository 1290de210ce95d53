import { expect, test, vi } from 'vitest';
import { createLoggedFault } from './logged-fault.ts';

test('a probe logs once when a fault begins, changes or ends', () => {
  const log = { warn: vi.fn(), info: vi.fn() };
  const faults = [null, 'no network', 'no network', 'no resolver', null, null];
  const fault = createLoggedFault(log, () => faults.shift() ?? null);
  const returned = Array.from({ length: faults.length }, fault);
  expect(returned).toEqual([null, 'no network', 'no network', 'no resolver', null, null]);
  expect(log.warn.mock.calls).toEqual([
    [{ fault: 'no network' }, 'this probe has a fault'],
    [{ fault: 'no resolver' }, 'this probe has a fault'],
  ]);
  expect(log.info.mock.calls).toEqual([[{}, 'the fault of this probe has ended']]);
});
