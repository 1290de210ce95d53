import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { channelTypeDefinitions, manifest } from '@uptime/sdk/contract';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { anyText } from '../testing/any-text.ts';
import { messageOf, nastyTexts, testChannelContext } from '../testing/messages.ts';
import { canary, providerOf, providers, startProvider, twoForms } from '../testing/providers/index.ts';
import { httpTarget, redirect, status } from '../testing/targets/index.ts';
import { type ChannelContext, type Message, type NoticeEvent, sendThrough } from './index.ts';

const types = [...providers.keys()];

const every: Message[] = [
  ...(
    [
      'monitor_down',
      'monitor_up',
      'ssl_expiring',
      'ssl_expired',
      'ssl_invalid',
      'domain_expiring',
      'domain_expired',
      'test',
    ] as NoticeEvent[]
  ).map((event) => messageOf(event)),
  messageOf('monitor_down', { kind: 'reminder' }),
  messageOf('monitor_down', { kind: 'close', error: null }),
  messageOf('ssl_expired', { kind: 'close', error: null }),
];

/** Returns the message with `text` in place of every text that people or targets can write. */
const worded = (message: Message, text: string): Message => {
  const { notice } = message;
  return {
    ...message,
    notice: {
      ...notice,
      rule: text,
      monitor: { ...notice.monitor, name: text },
      error: notice.error && { ...notice.error, message: Array.from(text.repeat(2)).slice(0, 300).join('') },
    },
  };
};

const longAddress = `https://shop.example/${'a&b|c"<>\'()*_'.repeat(170)}`.slice(0, 2048);
const addresses = [
  longAddress,
  `https://shop.example/?q=${'é'.repeat(300)}`,
  'http://gateway:8080/',
  'http://localhost:3000/alerts/alr_1.abc',
  'http://gateway.:8080/',
  'http://[::1]:3000/',
  'http://10.0.0.5:3000/',
];

type Provider = Awaited<ReturnType<typeof startProvider>>;

/** Expects that the provider accepts a message. A failed expectation shows the text of the message and the reason. */
async function expectAccepted(provider: Provider, message: Message): Promise<void> {
  const { ok, text } = await provider.send(message);
  const { kind, monitor } = message.notice;
  expect(ok, `${kind} of the monitor ${monitor.name}, ${monitor.url.slice(0, 60)}: ${text}`).toBe(true);
}

describe.each(types)('%s', (type) => {
  test('the provider accepts every kind of message', async () => {
    await using provider = await startProvider(type);
    for (const message of every) await expectAccepted(provider, message);
    expect(provider.requests).toHaveLength(every.length);
  });

  test('the provider accepts messages with the worst possible names and errors', async () => {
    await using provider = await startProvider(type);
    for (const text of nastyTexts) for (const message of every) await expectAccepted(provider, worded(message, text));
  });

  test('the provider accepts messages with any address', async () => {
    await using provider = await startProvider(type);
    for (const url of addresses) {
      const message = messageOf();
      const { monitor } = message.notice;
      const about = { ...message, link: url, notice: { ...message.notice, monitor: { ...monitor, url } } };
      await expectAccepted(provider, about);
    }
    expect(provider.requests).toHaveLength(addresses.length);
  });

  test('the channel shows no secret in its result, however the answer of the provider encodes it', async () => {
    const echoes = [
      (url: string, headers: string) => `${url} ${headers}`,
      (url: string, headers: string) => `${encodeURIComponent(url)} ${encodeURIComponent(headers)}`,
      (url: string, headers: string) => JSON.stringify({ url, headers }).replaceAll('/', '\\/'),
      (url: string, headers: string) => `${url} ${headers}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
      (url: string, headers: string) => `Cannot POST ${decodeURIComponent(url)} ${atob(headers.replace(/^\w+ /, ''))}`,
    ];
    for (const code of [200, 400, 429, 503])
      for (const echo of echoes) {
        await using provider = await startProvider(type, (request, response) => {
          const { authorization = '' } = request.headers;
          // The last echo decodes the credentials from base64. Basic credentials are in base64 already. Other
          // credentials are encoded here, so that this echo can decode them too.
          const readable = authorization.startsWith('Basic') ? authorization : `Basic ${btoa(authorization)}`;
          const text = echo(request.url!, echo === echoes.at(-1) ? readable : authorization);
          response.writeHead(code).end(text);
        });
        const sent = await provider.send(messageOf());
        expect(sent.status).toBe(code);
        expect(sent.text).not.toContain(canary);
        expect(sent.text).not.toContain(btoa(canary).slice(4, 20));
        expect(sent.text.length).toBeLessThanOrEqual(200);
      }
  });

  test.each([
    ['a refusal is final', status(403, 'no'), { ok: false, retry: false, status: 403, text: 'HTTP 403 no' }],
    ['a 5xx is retried', status(500), { ok: false, retry: true, retryAfterMs: null, status: 500 }],
    [
      'a rate limit is retried after the wait that the provider asks for',
      status(429, '{}', { 'retry-after': '7' }),
      { ok: false, retry: true, retryAfterMs: 7000 },
    ],
    ['a redirect is not followed', redirect('/elsewhere', 307), { ok: false, retry: true, status: 307 }],
  ])('%s', async (_, answer, expected) => {
    await using provider = await startProvider(type, answer);
    expect(await provider.send(messageOf())).toMatchObject(expected);
    expect(provider.requests).toHaveLength(1);
  });

  test('the channel waits for an answer at most 15 s, and leaves no connection and no timer open', async () => {
    const closed = Promise.withResolvers<void>();
    await using provider = await startProvider(type, (_, response) => response.on('close', () => closed.resolve()));
    const clock = createFakeClock();
    const sending = provider.send(messageOf(), { clock });
    while (provider.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(15_000);
    expect(await sending).toMatchObject({ ok: false, retry: true, status: null, text: 'No answer within 15 s.' });
    await closed.promise;
    expect(clock.waiting()).toBe(0);
  });

  test('the channel never throws, whatever its config and its message contain', async () => {
    await using target = await httpTarget();
    const gateways = providerOf(type).gateways?.(target.url) ?? {};
    const lookup: ChannelContext['lookup'] = (_host, _options, answer) => answer(new Error('no names here'), '');
    const context = testChannelContext({ gateways, lookup });
    const odd = fc.oneof(anyText(40), fc.constantFrom('', '\ud800', '%', 'http://[', '\r\n'));
    const like = (value: unknown): fc.Arbitrary<unknown> =>
      typeof value === 'string'
        ? fc.oneof(fc.constant(value), odd)
        : value !== null && typeof value === 'object'
          ? fc.oneof(fc.constant(value), fc.dictionary(odd, odd))
          : fc.constant(value);
    const config = fc.record(
      Object.fromEntries(
        Object.entries(providerOf(type).config(target.url)).map(([name, value]) => [name, like(value)]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(config, odd, fc.constantFrom(...every), async (given, text, message) => {
        const sent = await sendThrough(type, given as never, worded(message, text), context);
        expect(sent.text.length).toBeLessThanOrEqual(200);
        expect(sent.text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
      { numRuns: 60 },
    );
  });

  test('the channel reports a reset connection as a failure that is worth another attempt', async () => {
    await using provider = await startProvider(type, (request) => request.socket.resetAndDestroy());
    expect(await provider.send(messageOf())).toMatchObject({
      ok: false,
      retry: true,
      retryAfterMs: null,
      status: null,
    });
  });

  test('the channel never connects to a blocked address', async () => {
    await using provider = await startProvider(type);
    const blockList = new BlockList();
    blockList.addSubnet('127.0.0.0', 8, 'ipv4');
    expect(await provider.send(messageOf(), { blockList })).toMatchObject({ ok: false, retry: false, status: null });
    expect(provider.requests).toEqual([]);
  });
});

/** Whether a message ends an incident. For a paging service such a message has no markup, and so only one form. */
const ends = ({ notice }: Message) => notice.kind === 'recovery' || notice.kind === 'close';

describe.each(twoForms)('%s with a rich and a plain form', (type) => {
  const { keepsIncidents } = channelTypeDefinitions[type];
  const inTwoForms = every.filter((message) => !(keepsIncidents && ends(message)));

  test('a provider that refused the rich form gets the plain form at once, for every kind of message, with any text', async () => {
    await using provider = await startProvider(type, undefined, 'plain');
    const messages = [...inTwoForms, ...nastyTexts.map((text) => worded(messageOf(), text))];
    for (const message of messages) {
      const sent = await provider.send(message);
      expect(sent).toMatchObject({ ok: true });
      expect(sent.text).toMatch(/^Sent as plain text, because the provider refused the rich form: HTTP 4/);
      expect(sent.text.length).toBeLessThanOrEqual(200);
    }
    expect(provider.requests).toHaveLength(2 * messages.length);
  });

  test('the plain form has all the content of the rich form', async () => {
    await using provider = await startProvider(type, undefined, 'plain');
    await provider.send({ ...messageOf(), link: 'http://gateway:8080/alerts/alr_1' });
    const text = textOf(provider.requests[1]!);
    for (const part of ['Down: Shop', 'Answered 500 Internal Server Error']) expect(text).toContain(part);
    if (!providerOf(type).plain?.oneLine)
      for (const part of ['2026-01-31 08:00:00 UTC', 'http://gateway:8080/alerts/alr_1']) expect(text).toContain(part);
  });

  test.each([400, 413, 422])(
    'if the provider refuses both forms with status %i, each form is sent once, and the attempt fails',
    async (code) => {
      await using provider = await startProvider(type, status(code, 'no such room'));
      expect(await provider.send(messageOf())).toMatchObject({ ok: false, status: code });
      expect(provider.requests).toHaveLength(2);
    },
  );

  test('if the provider is busy when it gets the plain form, the result of the plain form is reported', async () => {
    let asked = 0;
    await using target = await startProvider(type, (request, response) =>
      (++asked === 1 ? status(400, 'bad form') : status(503, 'busy'))(request, response),
    );
    expect(await target.send(messageOf())).toMatchObject({ ok: false, retry: true, status: 503 });
  });

  test.each([401, 403, 404, 429, 500])(
    'a provider that answers with status %i gets no plain form, because that status does not mean that the form is bad',
    async (code) => {
      await using provider = await startProvider(type, status(code, 'no'));
      expect(await provider.send(messageOf())).toMatchObject({ ok: false, status: code });
      expect(provider.requests).toHaveLength(1);
    },
  );
});

/** Returns the text of a request, whatever its encoding. */
function textOf({ headers, body }: { headers: Record<string, unknown>; body: string }): string {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return isForm ? [...new URLSearchParams(body).values()].join('\n') : body.replaceAll('\\\\', '');
}

describe.each(types.filter((type) => !providerOf(type).forPrograms))('%s', (type) => {
  test('a message names the monitor, the reason, and the time when the outage began', async () => {
    await using provider = await startProvider(type);
    await provider.send(messageOf());
    const text = textOf(provider.requests[0]!);
    const parts = ['Down: Shop', 'Answered 500 Internal Server Error', '2026-01-31 08:00:00 UTC'];
    for (const part of providerOf(type).readsOut ? parts : [...parts, 'https://shop.example/cart'])
      expect(text).toContain(part);
  });
});

test('docs/channels.md has an example of every channel type', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/channels.md'), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(
    ([, block]) => parse(block!.replaceAll(/\$\{\w+\}/g, 'https://secret.example')) as unknown,
  );
  const documented = blocks.flatMap((block) => manifest.parse(block).channels ?? []).map(({ type }) => type);
  for (const type of types) expect(documented).toContain(type);
});
