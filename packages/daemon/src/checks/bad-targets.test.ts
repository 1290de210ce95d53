import type { Socket } from 'node:net';
import { activeMonitorTypes, monitorType, ownFields, validateMonitor } from '@uptime/sdk/contract';
import { describe, expect, test, vi } from 'vitest';
import { boundMs } from '../testing/bound-ms.ts';
import { expectNothingOpenSince, openResources } from '../testing/open-resources.ts';
import { monitorOf, tcpTarget, testContext } from '../testing/targets/index.ts';
import { expectWellFormed } from '../testing/well-formed-outcome.ts';
import { wait } from '../wait.ts';
import type { ActiveType } from './check.ts';
import { runCheck } from './index.ts';

const context = testContext();

/** Bad targets: a text for the test name, and what the target does with each connection. */
const badTargets: [string, (socket: Socket) => void][] = [
  ['accepts connections and sends nothing', (socket) => socket.resume()],
  ['closes each connection at once', (socket) => socket.resume().end()],
  ['resets a connection after the first bytes', (socket) => socket.on('data', () => socket.resetAndDestroy())],
  ['sends nonsense and then nothing more', (socket) => socket.resume().write('nonsense\r\n\r\n')],
  ['sends nonsense without an end', (socket) => sendEndlessly(socket.resume())],
];

/** Writes without end, as fast as the other side reads. */
function sendEndlessly(socket: Socket): void {
  const bytes = Buffer.alloc(64 * 1024, 'x');
  const send = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', send);
  send();
}

/** The types whose checks open no TCP connection to the target of this test, each with the reason. */
const otherwise: Partial<Record<ActiveType, string>> = {
  dns: 'sends its query by UDP, so the name server refuses it',
  ping: 'connects only to port 80',
};

/**
 * Returns the sample monitor of a type, which contacts only this machine. Each target field that can name a port names
 * `port`.
 */
function sampleAt(type: ActiveType, port: number) {
  const { sample, target } = monitorType(type);
  const pointed: Record<string, unknown> = {};
  for (const field of ownFields(type).filter((one) => target[one])) {
    const value = valueWithPort(type, field, port);
    if (value !== null) pointed[field] = value;
  }
  if (Object.keys(pointed).length === 0 && !(type in otherwise)) throw new Error(missedBy(type));
  return monitorOf({ type, ...sample, ...pointed, timeout: 1 });
}

/** Returns a value that points the field at `port` on this machine. Null if the field cannot name a port. */
function valueWithPort(type: ActiveType, field: string, port: number): string | number | null {
  const sample: Record<string, unknown> = { ...monitorType(type).sample };
  const takes = (value: unknown) => validateMonitor({ type, name: 'n', ...sample, [field]: value }).ok;
  if (takes(port) && takes(65_535) && !takes(65_536)) return port;
  const address = URL.parse(String(sample[field]));
  if (address !== null && address.host !== '') return Object.assign(address, { hostname: '127.0.0.1', port }).href;
  const hostAndPort = `127.0.0.1:${port}`;
  return takes(hostAndPort) && !takes('a/b') ? hostAndPort : null;
}

const missedBy = (type: ActiveType) =>
  `the check of ${type} did not connect to the target: \`target\` must be true for the field that names its port, and ` +
  `\`sample\` must name this machine; if both hold, extend \`valueWithPort\` for this field, or, if the type has no such ` +
  `field, add the type to \`otherwise\` with the reason`;

describe.each(activeMonitorTypes)('a check of %s with a bad target', (type) => {
  test.each(badTargets)('the check ends in time and closes its sockets if its target %s', async (_, serve) => {
    let connections = 0;
    await using target = await tcpTarget((socket) => {
      connections++;
      serve(socket);
    });
    const before = openResources();
    const endOfTest = new AbortController();
    const tooLate = wait(context.clock, boundMs(3000), endOfTest.signal).then(() => null);
    const outcome = await Promise.race([runCheck(sampleAt(type, target.port), context), tooLate]);
    endOfTest.abort();
    if (outcome === null)
      throw new Error('The check outlived its timeout: call `run.deadline.onInterrupt` while it waits.');
    expectWellFormed(outcome);
    // If the check did not connect, this test proves nothing.
    if (!(type in otherwise))
      await vi.waitFor(() => expect(connections, missedBy(type)).toBeGreaterThan(0), { timeout: boundMs(3000) });
    // The check has destroyed its socket, and the socket closes a moment later.
    await expectNothingOpenSince(before, 10_000);
  });
});
