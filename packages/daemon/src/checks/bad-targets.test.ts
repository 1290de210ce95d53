import type { Socket } from 'node:net';
import { activeMonitorTypes, monitorType, ownFields } from '@uptime/sdk/contract';
import { describe, test } from 'vitest';
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
  ['accepts connections and stays silent', (socket) => socket.resume()],
  ['closes each connection at once', (socket) => socket.resume().end()],
  ['resets a connection after the first bytes', (socket) => socket.on('data', () => socket.resetAndDestroy())],
  ['sends nonsense and then stays silent', (socket) => socket.resume().write('nonsense\r\n\r\n')],
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

/** Returns the sample monitor of a type. Every field that names a target points to this port. */
function sampleAt(type: ActiveType, port: number) {
  const target: Record<string, unknown> = {
    host: '127.0.0.1',
    port,
    url: `http://127.0.0.1:${port}/`,
    nameserver: `127.0.0.1:${port}`,
  };
  const fields = ownFields(type).filter((field) => field in target);
  const pointed = Object.fromEntries(fields.map((field) => [field, target[field]]));
  return monitorOf({ type, ...monitorType(type).sample, ...pointed, timeout: 1 });
}

describe.each(activeMonitorTypes)('a check of %s ends, and closes its sockets', (type) => {
  test.each(badTargets)('if its target %s', async (_, serve) => {
    await using target = await tcpTarget(serve);
    const before = openResources();
    const endOfTest = new AbortController();
    const tooLate = wait(context.clock, boundMs(3000), endOfTest.signal).then(() => null);
    const outcome = await Promise.race([runCheck(sampleAt(type, target.port), context), tooLate]);
    endOfTest.abort();
    if (outcome === null)
      throw new Error('The check outlived its timeout: set `run.deadline.interrupt` while it waits.');
    expectWellFormed(outcome);
    // The check has destroyed its socket, and the socket closes a moment later.
    await expectNothingOpenSince(before, 10_000);
  });
});
