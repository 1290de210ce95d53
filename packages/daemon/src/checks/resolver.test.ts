import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dnsTarget } from '../testing/targets/index.ts';
import { systemClock } from '../deps.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { startDeadline } from './deadline.ts';
import { createHostsFile, parseHosts } from './hosts-file.ts';
import { asciiHost, createResolver } from './resolver.ts';

/** A network without faults. */
const network = { recordAnswer: () => {}, faultOf: async () => null };

test('a hosts file may have comments, several names on a line, upper case, and final dots', () => {
  const entries = parseHosts(
    '# a comment\n127.0.0.1\tlocalhost LocalHost.\n::1 localhost # end\nnot-an-address name\n10.0.0.1 db db.internal\r\n',
  );
  expect(entries.get('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(entries.get('db.internal')).toEqual([{ address: '10.0.0.1', family: 4 }]);
  expect(entries.has('name')).toBe(false);
});

test('the hosts file takes precedence over the name servers, and is read again when it changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-hosts-'));
  const path = join(folder, 'hosts');
  await writeFile(path, '127.0.0.9 here.test\n');
  let skipped = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skipped };
  await using server = await dnsTarget({ 'here.test': { A: ['192.0.2.1'] } });
  const resolver = createResolver({ clock, servers: [server.server], network, hostsPath: path });
  const addresses = async () => {
    const deadline = startDeadline(systemClock, 10_000);
    const found = await resolver.addresses('Here.test.', deadline);
    deadline.end();
    return found.map(({ address }) => address);
  };
  expect(await addresses()).toEqual(['127.0.0.9']);
  await writeFile(path, '127.0.0.10 here.test\n');
  await utimes(path, 1, 1);
  skipped += 1500;
  expect(await addresses()).toEqual(['127.0.0.10']);
  expect(server.questions).toEqual([]);
  await rm(folder, { recursive: true });
  skipped += 1500;
  expect(await addresses()).toEqual(['192.0.2.1']);
});

test('neither a name with a NUL character nor the part before the NUL is looked up', async () => {
  await using server = await dnsTarget({ 'here.test': { A: ['192.0.2.1'] } });
  const resolver = createResolver({ clock: systemClock, servers: [server.server], network });
  const deadline = startDeadline(systemClock, 10_000);
  for (const name of ['here.test\0', 'here.test\0.other.test', '\0'])
    for (const asked of [resolver.addresses(name, deadline), resolver.records(name, 'A', null, deadline)])
      await expect(asked).rejects.toMatchObject({
        code: 'dns_not_found',
        message: 'a host name must not contain a NUL',
      });
  expect(await resolver.records('here.test', 'A', null, deadline)).toEqual(['192.0.2.1']);
  deadline.end();
});

test('localhost has the loopback addresses even without a hosts file', () => {
  const hosts = createHostsFile(systemClock, '/nonexistent/hosts');
  expect(hosts('localhost').map(({ address }) => address)).toEqual(['::1', '127.0.0.1']);
  expect(hosts('app.localhost')).toHaveLength(2);
  expect(hosts('localhost.example')).toEqual([]);
});

test.each([
  ['[::1]', '::1'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.1', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['_srv.example', '_srv.example'],
])('the host %s is looked up as %s', (host, ascii) => {
  expect(asciiHost(host)).toBe(ascii);
});

test('if a lookup fails just after the deadline, the name is at fault, not the resolver', async () => {
  const socket = createSocket('udp4');
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  socket.on('message', (question, { port, address }) => {
    const answer = Buffer.from(question);
    answer[2] = 0x81;
    const isRoot = question[12] === 0;
    answer[3] = isRoot ? 0x80 : 0x82; // SERVFAIL for every name except the root
    asked.resolve();
    void (isRoot ? Promise.resolve() : released.promise).then(() => socket.send(answer, port, address));
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // With a real clock, the failure might arrive so late that the resolver counts as not answering.
  const clock = createFakeClock();
  const resolver = createResolver({
    clock,
    servers: [`127.0.0.1:${socket.address().port}`],
    network,
    hostsPath: join(tmpdir(), 'no-hosts'),
  });
  const deadline = startDeadline(clock, 300);
  const lookup = resolver.addresses('dead.example', deadline);
  await asked.promise;
  await clock.advance(300);
  expect(deadline.over).toBe('timeout');
  released.resolve();
  await expect(lookup).rejects.toMatchObject({ code: 'dns_server_failure' });
  deadline.end();
  socket.close();
});
