import { BlockList } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../testing/fake-clock.ts';
import { testChannelContext } from '../testing/messages.ts';
import {
  blackHole,
  bytesTarget,
  hang,
  httpTarget,
  makeCertificate,
  freePort,
  tcpTarget,
  tlsTarget,
} from '../testing/targets/index.ts';
import { call, attemptTimeoutMs } from './call.ts';
import type { ChannelContext } from './channel.ts';

const context = testChannelContext();

describe('over TLS', () => {
  test('a message is sent only to a server with a trusted certificate', async () => {
    const { key, cert } = await makeCertificate({ hosts: ['localhost'] });
    let asked = 0;
    await using target = await tlsTarget({ key, cert }, (_, response) => {
      asked++;
      response.end('ok');
    });
    const untrusted = await call(context, { url: target.url, json: {} });
    expect(untrusted).toMatchObject({ ok: false, retry: true, status: null });
    expect(untrusted.text).toMatch(/self.signed certificate.*SELF_SIGNED_CERT/);
    expect(asked).toBe(0);

    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    expect(await call(context, { url: target.url, json: {} })).toEqual({ ok: true, status: 200, text: 'ok' });
    expect(await call(context, { url: target.url.replace('localhost', '127.0.0.1') })).toMatchObject({ ok: false });
    expect(asked).toBe(1);
  });

  test('the channel never connects to a blocked address, and closes a connection whose handshake hangs', async () => {
    const closed = Promise.withResolvers<void>();
    const greeted = Promise.withResolvers<void>();
    await using target = await tcpTarget((socket) => {
      socket.once('data', () => greeted.resolve());
      socket.once('close', () => closed.resolve());
    });
    const url = `https://localhost:${target.port}`;
    const blockList = new BlockList();
    blockList.addSubnet('127.0.0.0', 8, 'ipv4');
    blockList.addAddress('::1', 'ipv6');
    expect(await call({ ...context, blockList }, { url })).toMatchObject({
      retry: false,
      text: expect.stringContaining('ERR_IP_BLOCKED') as string,
    });

    const clock = createFakeClock();
    const sending = call({ ...context, clock }, { url });
    await greeted.promise;
    await clock.advance(attemptTimeoutMs);
    expect(await sending).toMatchObject({ retry: true, text: 'No answer within 15 s.' });
    await closed.promise;
  });
});

describe('an attempt that gets no answer', () => {
  test('an attempt that gets no answer may be repeated if the connection was refused or closed', async () => {
    await using reset = await bytesTarget('HTTP', 'reset');
    await using silent = await bytesTarget('', 'close');
    await using garbage = await bytesTarget('SSH-2.0-OpenSSH_9.9\r\n');
    const ports = [await freePort(), reset.port, silent.port, garbage.port];
    for (const port of ports) {
      const sent = await call(context, { url: `http://127.0.0.1:${port}` });
      expect(sent, sent.text).toMatchObject({ ok: false, retry: true, retryAfterMs: null });
      expect(sent.text).toMatch(/^[A-Z]\w+ .*\)$/);
    }
  });

  test('an attempt that gets no answer may be repeated if the name does not exist', async () => {
    expect(await call(context, { url: 'http://none.invalid/' })).toMatchObject({
      ok: false,
      retry: true,
      status: null,
    });
  });

  /** Waits until the attempt is in progress, and then moves `clock` to the end of the attempt. */
  async function outlast(clock: FakeClock, sending: Promise<unknown>, underWay: () => boolean): Promise<unknown> {
    while (!underWay()) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(attemptTimeoutMs - 1);
    expect(clock.waiting()).toBe(1);
    await clock.advance(1);
    return sending;
  }
  const tooLate = {
    ok: false,
    retry: true,
    retryAfterMs: null,
    status: null,
    text: 'No answer within 15 s.',
    mayHaveArrived: true,
  };

  test('an attempt that gets no answer ends at its deadline, and its connection is closed', async () => {
    const clock = createFakeClock();
    const closed = Promise.withResolvers<void>();
    await using target = await httpTarget((request, response) => {
      response.on('close', () => closed.resolve());
      hang(request, response);
    });
    const sending = call({ ...context, clock }, { url: target.url });
    expect(await outlast(clock, sending, () => target.requests.length === 1)).toEqual(tooLate);
    await closed.promise;
    expect(clock.waiting()).toBe(0);
  });

  test('an attempt that gets no answer ends at its deadline if the server neither accepts nor refuses the connection, or if a name look-up hangs', async () => {
    await using hole = await blackHole();
    const before = sockets();
    let lookedUp = false;
    const lookup: ChannelContext['lookup'] = () => {
      lookedUp = true;
    };
    for (const [url, underWay] of [
      [`http://127.0.0.1:${hole.port}`, () => sockets() > before],
      ['http://provider.example/', () => lookedUp],
    ] as const) {
      const clock = createFakeClock();
      const sending = call({ ...context, clock, lookup }, { url });
      expect(await outlast(clock, sending, underWay)).toEqual(tooLate);
      while (sockets() > before) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('an attempt that gets no answer ends at once if the daemon stops, and may be repeated', async () => {
    const stop = new AbortController();
    const asked = Promise.withResolvers<void>();
    await using target = await httpTarget(() => asked.resolve());
    const sending = call({ ...context, signal: stop.signal }, { url: target.url });
    await asked.promise;
    stop.abort();
    expect(await sending).toMatchObject({ ok: false, retry: true, text: 'The daemon was stopped.' });
    expect(await call({ ...context, signal: stop.signal }, { url: target.url })).toMatchObject({
      ok: false,
      retry: true,
    });
  });
});

/** Returns the number of this process's connections, including those being opened. */
const sockets = () =>
  process.getActiveResourcesInfo().filter((kind) => /^TCP(?:Socket|Connect)Wrap$/.test(kind)).length;
