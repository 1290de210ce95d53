import { expect, test } from 'vitest';
import { nextTurn } from '../wait.ts';
import { createPasswordTurns, maxHashed, maxWaiting } from './password-turns.ts';

test('in a flood of sign-ins, two passwords are hashed at a time, 50 sign-ins wait, and further sign-ins are refused', async () => {
  const inTurn = createPasswordTurns();
  let [now, largest, done] = [0, 0, 0];
  const signIn = () =>
    inTurn(async () => {
      largest = Math.max(largest, ++now);
      await nextTurn();
      now--;
      done++;
    });
  const flood = 500;
  const answers = await Promise.allSettled(Array.from({ length: flood }, signIn));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(largest).toBe(maxHashed);
  expect(done).toBe(maxHashed + maxWaiting);
  expect(refused).toHaveLength(flood - maxHashed - maxWaiting);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  // After the flood, sign-ins run again, even after a sign-in that failed.
  await expect(inTurn(() => Promise.reject(new Error('wrong password')))).rejects.toThrow('wrong password');
  await signIn();
  expect(done).toBe(maxHashed + maxWaiting + 1);
});
