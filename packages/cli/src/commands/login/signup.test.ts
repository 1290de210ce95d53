import { expect, test } from 'vitest';
import { createTestDaemon } from '../../../../daemon/src/testing/test-daemon.ts';
import { testPassword } from '../../testing/account.ts';
import { openSession } from '../../testing/session.ts';

test('if the server requires an invitation, the error of a sign-up without one says where to get an invitation', async () => {
  const env = { UPTIME_SIGNUP: 'open' };
  const daemon = await createTestDaemon({ env });
  try {
    env.UPTIME_SIGNUP = 'invite';
    await daemon.restart();
    await using session = await openSession({ siteUrl: daemon.url, apiKey: daemon.apiKey, fetch });
    const signup = ['signup', '--name', 'Eve', '--email', 'eve@example.com', '--password', '-'];
    for (const words of [signup, [...signup, '--invitation', 'made-up']]) {
      expect(await session.uptime(words, { stdin: testPassword })).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining('`uptimed admin invite`') as string,
      });
    }
  } finally {
    await daemon.close();
  }
});
