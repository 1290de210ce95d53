import { afterEach, expect, it, vi } from 'vitest';
import { waitingTime } from './waiting-time.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('`waitingTime` returns how long work took, without the time in which the process did not run', async () => {
  let now = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const wait = (ms: number) => {
    for (const end = now + ms; now < end; vi.advanceTimersByTime(1)) now++;
  };
  const ms = await waitingTime(async () => {
    wait(200);
    now += 300;
    wait(100);
  });
  expect(ms).toBe(300);
});
