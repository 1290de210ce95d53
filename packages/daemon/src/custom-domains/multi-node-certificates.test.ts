import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Daemon } from '../daemon.ts';
import { type Installation, startInstallation } from '../testing/installation.ts';
import { passingCheck } from '../testing/passing-check.ts';
import { acmeTarget, type AcmeTarget } from '../testing/targets/acme.ts';
import { dnsTarget, type DnsTarget } from '../testing/targets/dns.ts';

const name = 'status.example.com';
let dns: DnsTarget;
let acme: AcmeTarget;
let installation: Installation;
let other: Daemon;
beforeAll(async () => {
  dns = await dnsTarget({ 'pages.example.net': { A: ['127.0.0.1'] }, [name]: { CNAME: 'pages.example.net' } });
  acme = await acmeTarget();
  const env = {
    UPTIME_PUBLIC_HOST: 'pages.example.net',
    UPTIME_DNS_SERVERS: dns.server,
    UPTIME_HTTPS_PORT: '0',
    UPTIME_ACME_DIRECTORY_URL: acme.directoryUrl,
  };
  // The first node never orders certificates. The authority requests the proof only from the first node.
  installation = await startInstallation(
    { env, first: { UPTIME_ROLES: 'api,checker,deliver' } },
    { runCheck: passingCheck },
  );
  acme.challengePort = Number(new URL(installation.first.url).port);
  other = await installation.join();
  await installation.join();
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await acme.close();
  await dns.close();
});

/** Resolves with the serial number of the certificate that a port serves for the name; null if it serves none. */
const served = (port: number | null) =>
  new Promise<string | null>((resolve) => {
    const socket = connect({ port: port!, host: '127.0.0.1', servername: name, rejectUnauthorized: false });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
  });

test('one node orders a certificate, another node serves the proof, and all nodes serve the certificate, even a node that joins later', async () => {
  const { first } = installation;
  const page = { name: 'p', slug: 'p', customDomain: name };
  const made = await first.request('POST', '/api/status-pages', page);
  expect(made.status).toBe(201);
  await vi.waitFor(async () => expect(await served(first.httpsPort)).not.toBeNull(), 15_000);
  const serial = await served(first.httpsPort);
  await vi.waitFor(async () => expect(await served(other.httpsPort)).toBe(serial), 20_000);
  expect(acme.orders).toEqual([name]);
  const third = await installation.join();
  expect(await served(third.httpsPort)).toBe(serial);

  const rows = await installation.database.store.db.selectFrom('certificate_file').select('body').execute();
  expect(rows.filter(({ body }) => body.includes('PRIVATE KEY'))).toEqual([]);
  const proofs = await installation.database.store.db.selectFrom('certificate_proof').selectAll().execute();
  expect(proofs).toEqual([]);

  const { id } = made.body as { id: string };
  await first.request('DELETE', `/api/status-pages/${id}`);
  for (const { httpsPort } of [first, other, third])
    await vi.waitFor(async () => expect(await served(httpsPort)).toBeNull(), 20_000);
});
