import { expect, test } from 'vitest';
import { openSession } from '../testing/session.ts';

test('if a server does not name the project of the key, whoami finds the project through the first monitor', async () => {
  await using session = await openSession();
  expect(await session.uptime(['whoami'])).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('project: the server does not name it'),
  });
  expect(await session.uptime(['doctor'])).toMatchObject({
    stdout: expect.stringContaining('opens a project that the server does not name'),
  });
  await session.uptime(['monitors', 'create', '--type', 'heartbeat', '--name', 'Backup']);
  expect((await session.uptime(['whoami'])).stdout).toMatch(/^project: Test \(prj_\w+\)$/m);
});
