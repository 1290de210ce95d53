import diagnostics from 'node:diagnostics_channel';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, BlockList, createServer, type LookupFunction, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { httpTarget, type HttpTarget, status } from '../testing/targets/http.ts';
import { registrableDomain } from './registrable-domain.ts';
import { createRegistrationReader } from './registration.ts';

let registry: HttpTarget;
afterEach(() => registry?.close());

/**
 * Starts a registry of .com domains, which answers each question with `answer`. The list of RDAP servers has only this
 * registry; `list` answers the requests for the list.
 */
async function start(answer: (name: string) => { status: number; body?: object }, list = status) {
  registry = await httpTarget((request, response) => {
    if (request.url === '/dns.json') {
      const services = [[['com'], [`${registry.url}/rdap/`]]];
      return list(200, JSON.stringify({ version: '1.0', publication: '2026-01-01T00:00:00Z', services }))(
        request,
        response,
      );
    }
    const answered = answer((request.url ?? '').split('/').at(-1) ?? '');
    status(answered.status, JSON.stringify(answered.body ?? {}), { 'content-type': 'application/rdap+json' })(
      request,
      response,
    );
  });
  const clock = createFakeClock();
  const read = createRegistrationReader({
    clock,
    bootstrapUrl: `${registry.url}/dns.json`,
    blockList: new BlockList(),
    lookup,
  });
  return { read, clock, asked: () => registry.requests.map(({ url }) => url) };
}

const registered = (name: string, expires?: string) => ({
  objectClassName: 'domain',
  ldhName: name,
  status: ['active'],
  events: expires === undefined ? [] : [{ eventAction: 'expiration', eventDate: expires }],
  entities: [
    {
      objectClassName: 'entity',
      roles: ['registrar'],
      vcardArray: [
        'vcard',
        [
          ['version', {}, 'text', '4.0'],
          ['fn', {}, 'text', 'Example Registrar'],
        ],
      ],
    },
  ],
});

test('the reader gets the expiry date and the registrar of a domain by RDAP, and reads the list of RDAP servers once a day', async () => {
  const { read, clock, asked } = await start((name) => ({
    status: 200,
    body: registered(name, '2027-03-01T04:00:00Z'),
  }));
  expect(await read('example.com')).toEqual({
    expiresAt: Date.parse('2027-03-01T04:00:00Z'),
    registrar: 'Example Registrar',
    error: null,
    unsupported: false,
  });
  await read('example.com');
  expect(asked()).toEqual(['/dns.json', '/rdap/domain/example.com', '/rdap/domain/example.com']);
  await clock.advance(24 * 3_600_000 + 1);
  await read('example.com');
  expect(asked().filter((url) => url === '/dns.json')).toHaveLength(2);
});

test('if the registry gives no date, the result says so, and says that asking again is useless', async () => {
  const { read } = await start((name) => ({ status: 200, body: registered(name) }));
  expect(await read('example.com')).toMatchObject({
    expiresAt: null,
    registrar: 'Example Registrar',
    unsupported: true,
    error: expect.stringContaining('Set domainExpiresOn'),
  });
});

test('if a domain is not registered, the result says so', async () => {
  const { read } = await start(() => ({ status: 404 }));
  expect(await read('example.com')).toMatchObject({ expiresAt: null, error: 'example.com is not registered.' });
});

test('if the RDAP server of a registry fails, WHOIS is not used instead', async () => {
  const { read } = await start(() => ({ status: 500 }));
  const found = await read('example.com');
  expect(found).toMatchObject({ expiresAt: null, unsupported: false });
  expect(found.error).toMatch(/^The registry of example\.com cannot be asked: RDAP/);
});

describe('if the list names no RDAP server', () => {
  /** Starts a server that lists `whois.nic.test` for each top-level domain. Names resolve to the given addresses. */
  async function startWhois(addresses: Record<string, string>, blocked: readonly string[] = []) {
    const questions: string[] = [];
    const root = createServer((socket) => {
      socket.once('data', (question) => {
        questions.push(String(question));
        socket.end('domain:  DE\r\nwhois:   whois.nic.test\r\nstatus:  ACTIVE\r\n');
      });
    });
    root.listen(0, '127.0.0.1');
    await once(root, 'listening');
    onTestFinished(async () => {
      root.close();
      await once(root, 'close');
    });
    const { port } = root.address() as AddressInfo;
    const lookedUp: string[] = [];
    const byName: LookupFunction = (name, options, answer) => {
      lookedUp.push(name);
      const address = addresses[name] ?? '127.0.0.1';
      if (options.all) answer(null, [{ address, family: 4 }]);
      else answer(null, address, 4);
    };
    registry = await httpTarget(status(200, JSON.stringify({ services: [] })));
    const blockList = new BlockList();
    for (const address of blocked) blockList.addAddress(address);
    const read = createRegistrationReader({
      clock: createFakeClock(),
      bootstrapUrl: `${registry.url}/dns.json`,
      blockList,
      lookup: byName,
      whoisRoot: { host: 'whois.root.test', port },
    });
    const before = sockets.length;
    return { read, questions, lookedUp, opened: () => sockets.slice(before).map((socket) => socket.remoteAddress) };
  }
  // The sockets that this process has connected.
  const sockets: Socket[] = [];
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  beforeAll(() => diagnostics.subscribe('net.client.socket', note));
  afterAll(() => void diagnostics.unsubscribe('net.client.socket', note));

  test("the reader asks the WHOIS server at the address that the daemon's resolver found", async () => {
    const { read, questions, lookedUp } = await startWhois({ 'whois.nic.test': '127.66.0.9' });
    // Nothing listens at port 43 of that address, so the look-up fails. The error names the address.
    expect((await read('example.de')).error).toMatch(/example\.de cannot be asked: .*127\.66\.0\.9:43/);
    expect(questions).toEqual(['de\r\n']);
    expect(lookedUp).toEqual(['whois.root.test', 'whois.nic.test']);
  });

  test('the reader never connects to a WHOIS server at a blocked address', async () => {
    const { read, opened } = await startWhois({ 'whois.nic.test': '127.66.0.9' }, ['127.66.0.9']);
    const found = await read('example.de');
    expect(found.error).toMatch(/whois\.nic\.test is at 127\.66\.0\.9, which UPTIME_TARGETS forbids$/);
    expect(found).toMatchObject({ expiresAt: null, unsupported: false });
    // One socket read the list of RDAP servers, and the other the list of WHOIS servers.
    expect(opened()).toHaveLength(2);
  });

  test('the reader reads the list of WHOIS servers only from an address that is not blocked', async () => {
    const { read, questions } = await startWhois({ 'whois.root.test': '127.66.0.8' }, ['127.66.0.8']);
    expect((await read('example.de')).error).toMatch(/whois\.root\.test cannot be asked: .*block/i);
    expect(questions).toEqual([]);
  });
});

test('if the list of RDAP servers cannot be read, the error says so', async () => {
  const { read } = await start(
    () => ({ status: 200 }),
    () => status(503, '{}'),
  );
  expect((await read('example.com')).error).toMatch(/^The list of RDAP servers cannot be read: .* answered 503$/);
});

/** Returns the result for example.com if the registry encodes its answer. */
async function readEncoded(encoding: string | string[], encode: (text: string) => Buffer) {
  const encoded = encode(JSON.stringify(registered('example.com', '2027-03-01T04:00:00Z')));
  registry = await httpTarget((request, response) => {
    const isList = request.url === '/dns.json';
    if (!isList) response.setHeader('content-encoding', encoding);
    response.end(isList ? JSON.stringify({ services: [[['com'], [`${registry.url}/rdap/`]]] }) : encoded);
  });
  const reader = { clock: createFakeClock(), bootstrapUrl: `${registry.url}/dns.json`, blockList: new BlockList() };
  return createRegistrationReader({ ...reader, lookup })('example.com');
}

test('the reader asks for answers in gzip, and decodes them', async () => {
  expect(await readEncoded('gzip', gzipSync)).toMatchObject({ expiresAt: Date.parse('2027-03-01T04:00:00Z') });
  expect(registry.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', 'gzip']);
});

test.each<[string | string[], (text: string) => Buffer]>([
  ['br', brotliCompressSync],
  [' BR ', brotliCompressSync],
  ['gzip, Br', (text) => brotliCompressSync(gzipSync(text))],
  ['br, gzip', (text) => gzipSync(brotliCompressSync(text))],
  [['identity', 'br'], brotliCompressSync],
  ['zstd', zstdCompressSync],
])('an answer encoded as %j, which the reader did not ask for, makes the look-up fail', async (encoding, encode) => {
  const found = await readEncoded(encoding, encode);
  expect(found).toMatchObject({ expiresAt: null, unsupported: false });
  expect(found.error).toMatch(/^The registry of example\.com cannot be asked: /);
});

test.each([
  ['shop.example.co.uk', 'example.co.uk'],
  ['EXAMPLE.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['_dmarc.mail.example.com', 'example.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['localhost', null],
  ['127.0.0.1', null],
  ['[::1]', null],
  ['2001:db8::1', null],
  ['intranet', null],
  ['shop.github.io', null],
])('the registered domain of %s is %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain);
});
