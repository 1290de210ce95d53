import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { megabyte, planLimits } from '@uptime/sdk/contract';
import { expect, test } from 'vitest';
import { passingCheck } from '../testing/passing-check.ts';
import { createTestDaemon } from '../testing/test-daemon.ts';

/** The largest possible monitor: as encrypted JSON, its body takes 800,000 bytes. */
const fields = { type: 'http', name: 'x', url: 'http://localhost/', method: 'POST', paused: true };
const large = JSON.stringify({ ...fields, body: '\u0001'.repeat(100_000) });

test('the largest monitors, each created with an Idempotency-Key, take no more disk space than a project may use', async () => {
  const env = { UPTIME_MODE: 'public', UPTIME_SIGNUP: 'open', UPTIME_RATE_LIMIT: 'on' };
  const daemon = await createTestDaemon({ runCheck: passingCheck, env });
  const onDisk = async () => {
    const files = await readdir(daemon.dataDir);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(daemon.dataDir, file))).size));
    return sizes.reduce((sum, size) => sum + size, 0) / megabyte;
  };
  try {
    const { apiKey } = await daemon.another('tenant');
    const maxMegabytes = planLimits.storageMegabytes.publicDefault;
    const before = await onDisk();
    let queue = 60;
    const made: string[] = [];
    const send = async (at: number) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': `fill-${at}` };
      const answer = await fetch(`${daemon.url}/api/monitors`, { method: 'POST', headers, body: large });
      return { status: answer.status, body: (await answer.json()) as { id: string } };
    };
    const worker = async () => {
      for (let at = queue--; at > 0; at = queue--) {
        const { status, body } = await send(at);
        if (status === 201) made.push(body.id);
        else
          expect({ status, body }).toMatchObject({
            status: 402,
            body: { detail: expect.stringContaining('megabytes') as string },
          });
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(made).toHaveLength(Math.floor((maxMegabytes * megabyte) / 801_000));
    // SQLite's write-ahead log may become as large as the database file.
    expect((await onDisk()) - before).toBeLessThan(2 * maxMegabytes + 4);
  } finally {
    await daemon.close();
  }
});
