import { expect, test } from 'vitest';
import { createFakeServer } from '@uptime/sdk/testing';
import { runCommand } from '../../testing/run-command.ts';
import { showStatus } from './status.ts';
import { Uptime } from '@uptime/sdk';

test('on a terminal, fifty outages with long names fit on one screen, without the control characters in their reasons', async () => {
  const server = createFakeServer();
  const client = new Uptime(server);
  for (let i = 0; i < 50; i++) {
    const { id } = await client.monitors.create({ type: 'heartbeat', name: `Job ${i} ${'x'.repeat(150)}` });
    server.setStatus(id, 'down');
  }
  await client.incidents.create({ title: 'Everything is late', monitorIds: [] });
  // The fake server has no list of events, so this fetch answers requests for it.
  const fetch: typeof globalThis.fetch = async (input, init) =>
    new Request(input, init).url.includes('/events')
      ? Response.json([
          {
            timestamp: '2026-01-01T00:00:00.000Z',
            to: 'down',
            from: 'up',
            error: { code: 'no_ping', message: 'a\u001b[2Jb' },
          },
        ])
      : server.fetch(input, init);
  const { exit, stdout } = await runCommand([showStatus], ['status'], {
    terminal: true,
    server: { siteUrl: server.siteUrl, fetch },
    apiKey: server.apiKey,
  });
  expect(exit).toBe(1);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(lines[0]).toBe('50 monitors: 50 down');
  expect(stdout).toMatch(/\n {2}and 2\d more\n/);
  expect(stdout).toContain('Everything is late');
  expect(stdout).not.toContain('\u001b');
});
