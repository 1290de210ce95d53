import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../testing/databases.ts';
import type { TestDaemon } from '../testing/test-daemon.ts';
import { run, startOn } from '../testing/run-admin.ts';

describe.each(databases)('with UPTIME_SIGNUP=invite on $name', (database) => {
  let daemon: TestDaemon;
  let place: Record<string, string>;
  beforeAll(async () => {
    const settings = { UPTIME_SIGNUP: 'open' };
    ({ daemon, place } = await startOn(database, settings));
    settings.UPTIME_SIGNUP = 'invite';
    await daemon.restart();
  });
  afterAll(() => daemon.close());

  const invite = async (...email: string[]) => (await run(['invite', ...email], place)).split('\n')[0]!;
  const signUp = (email: string, invitation?: string) => {
    const body = { name: 'x', email, password: 'correct horse', invitation };
    return daemon.request('POST', '/api/auth/sign-up/email', body, { apiKey: null });
  };

  test('the daemon refuses a sign-up without a valid invitation', async () => {
    for (const code of [undefined, '', 'nonsense', 'f'.repeat(32)]) {
      expect(await signUp('uninvited@example.com', code)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  test('an invitation allows the sign-up of only one account', async () => {
    const code = await invite();
    expect((await signUp('invited@example.com', code)).status).toBe(200);
    expect((await signUp('friend@example.com', code)).status).toBe(403);
  });

  test('only one of many simultaneous sign-ups with the same invitation succeeds', async () => {
    const code = await invite();
    const answers = await Promise.all([1, 2, 3, 4].map((n) => signUp(`racer-${n}@example.com`, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
  });

  test('an invitation for an e-mail address works only for that address, in upper or lower case', async () => {
    const printed = await run(['invite', 'Named@Example.com'], place);
    const code = printed.split('\n')[0]!;
    const inAWeek = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10);
    expect(printed).toContain(`Valid until ${inAWeek}, for one account with the address Named@Example.com`);
    expect((await signUp('other@example.com', code)).status).toBe(403);
    expect((await signUp('named@example.com', code)).status).toBe(200);
  });

  test('an invitation whose sign-up failed is still valid', async () => {
    const code = await invite();
    expect((await signUp(daemon.email, code)).status).toBe(409);
    expect((await signUp('second-try@example.com', code)).status).toBe(200);
  });

  test('an invitation expires, and its code is never stored', async () => {
    const code = await invite();
    const rows = await daemon.store.db.selectFrom('invitation').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code);
    await daemon.store.db.updateTable('invitation').set({ expires_at: 1 }).execute();
    expect((await signUp('late@example.com', code)).status).toBe(403);
    expect(await daemon.store.db.selectFrom('invitation').selectAll().execute()).toEqual([]);
  });
});
