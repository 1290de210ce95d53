import { expect, test } from 'vitest';
import { captureStatements } from '../../testing/captured-statements.ts';
import { passingCheck } from '../../testing/passing-check.ts';
import { createTestDaemon } from '../../testing/test-daemon.ts';

test('a read of response times reads the names of only those regions that have results of the monitor', async () => {
  using capture = captureStatements();
  const daemon = await createTestDaemon({ runCheck: passingCheck });
  try {
    const body = { type: 'tcp', name: 'm', host: 'h', port: 1 };
    const { id } = (await daemon.request('POST', '/api/monitors', body)).body as { id: string };
    await expect
      .poll(async () => (await daemon.request('GET', `/api/monitors/${id}/response-times`)).body, { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ region: 'default' }));
    const reads = capture.statements().filter(({ sql }) => /select [^()]*"name" from "region"/.test(sql));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter(({ sql }) => !/ where /.test(sql))).toEqual([]);
  } finally {
    await daemon.close();
  }
});
