import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
// The import of @peculiar/x509 needs this import.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import {
  freePort,
  httpTarget,
  type Issued,
  makeCertificate,
  makeChain,
  redirect,
  tlsTarget,
} from '../testing/targets/index.ts';
import { createTlsWorld } from '../testing/tls-chain.ts';

const world = createTlsWorld();

const { day, full, check, issue } = world;

describe('a certificate', () => {
  test('a certificate that can be verified is recorded with dates, names and fingerprint, and the handshake is timed', async () => {
    await using target = await tlsTarget(full(world.chain.leaf));
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({
      verdict: 'up',
      statusCode: 200,
      timings: { tls: expect.any(Number) },
      certificate: { issuer: 'CN=Test Intermediate', subject: 'CN=localhost', error: null },
    });
    expect(outcome.certificate?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(outcome.certificate?.validTo).toBe(world.chain.leaf.certificate.notAfter.getTime());
  });

  test('a certificate is verified for an IP address too', async () => {
    await using target = await tlsTarget(full(world.chain.leaf));
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({ verdict: 'up' });
  });

  test.each(['127.1', '0x7f.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.0.0.1.'])(
    'a certificate must name the IP address that the host %s stands for',
    async (host) => {
      await using target = await tlsTarget(full(world.chain.leaf));
      expect(await check(`https://${host}:${target.port}/`)).toMatchObject({ verdict: 'up' });
      // This certificate has impossible names that look like the address.
      await using strange = await tlsTarget(full(await issue({ hosts: ['0x7f.1', '*.1', '*.0x7f', '0x7f000001'] })));
      expect(await check(`https://${host}:${strange.port}/`)).toMatchObject({ error: { code: 'tls_hostname' } });
    },
  );

  const faults: [string, string, () => Promise<{ cert: string; key: string; ciphers?: string }>][] = [
    [
      'that has expired',
      'tls_expired',
      async () =>
        full(await issue({ notBefore: new Date(Date.now() - 9 * day), notAfter: new Date(Date.now() - day) })),
    ],
    [
      'that is not yet valid',
      'tls_not_yet_valid',
      async () => full(await issue({ notBefore: new Date(Date.now() + day) })),
    ],
    ['for another host', 'tls_hostname', async () => full(await issue({ hosts: ['other.example'] }))],
    ['that is self-signed', 'tls_untrusted', () => makeCertificate()],
    [
      'under a root that is not trusted',
      'tls_untrusted',
      async () => {
        const other = await makeChain();
        return { cert: other.leaf.cert + other.intermediate.cert + other.root.cert, key: other.leaf.key };
      },
    ],
    ['without its intermediate', 'tls_incomplete_chain', async () => world.chain.leaf],
    ['for clients', 'tls_purpose', async () => full(await issue({ usage: 'client' }))],
    [
      'with a key of 1024 bits',
      'tls_weak',
      async () => ({ ...full(await issue({ rsaBits: 1024 })), ciphers: 'DEFAULT:@SECLEVEL=0' }),
    ],
  ];
  test.each(faults)('a certificate %s fails as %s, but passes with verifyTls: false', async (_name, code, make) => {
    await using target = await tlsTarget(await make());
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({
      verdict: 'down',
      statusCode: null,
      error: { code },
      certificate: { error: { code } },
    });
    expect(await check(target.url, { verifyTls: false })).toMatchObject({
      verdict: 'up',
      certificate: { error: { code } },
    });
  });

  const anySize = 'DEFAULT:@SECLEVEL=0';
  const weak = (message: string) => {
    const error = { code: 'tls_weak', message };
    return { verdict: 'down', error, certificate: { subject: 'CN=localhost', error } };
  };

  test('a certificate under a weak intermediate or root certificate fails as tls_weak, and the message names the weak certificate', async () => {
    const sha1 = await signedAnew(world.chain.intermediate, world.chain.root, { name: 'ECDSA', hash: 'SHA-1' });
    await using signature = await tlsTarget({
      ...world.chain.leaf,
      cert: world.chain.leaf.cert + sha1,
      ciphers: anySize,
    });
    expect(await check(signature.url)).toMatchObject(
      weak('a certificate of the chain, CN=Test Intermediate, is too weak: it is signed by ecdsa-with-SHA1'),
    );

    const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const small = await makeCertificate({ ca: true, name: 'Small CA', rsaBits: 1024, issuer: world.chain.root });
    const underSmall = await signedAnew(world.chain.leaf, small, rsa);
    await using key = await tlsTarget({ ...world.chain.leaf, cert: underSmall + small.cert, ciphers: anySize });
    expect(await check(key.url)).toMatchObject(
      weak('a certificate of the chain, CN=Small CA, is too weak: its key has 1024 bits'),
    );

    // The check trusts this root, but the server does not send it.
    const root = await makeCertificate({ ca: true, name: 'Small Root', rsaBits: 1024 });
    await using underRoot = await tlsTarget({
      ...world.chain.leaf,
      cert: await signedAnew(world.chain.leaf, root, rsa),
    });
    expect(await check(underRoot.url, {}, root.cert)).toMatchObject(
      weak('a certificate of the chain, CN=Small Root, is too weak: its key has 1024 bits'),
    );
  });

  test('a certificate whose issuer may not sign certificates fails as tls_untrusted, and the message names the issuer', async () => {
    const server = await issue({ hosts: ['other.example'] });
    const leaf = await makeCertificate({ issuer: server });
    await using target = await tlsTarget({ ...leaf, cert: leaf.cert + server.cert + world.chain.intermediate.cert });
    expect(await check(target.url)).toMatchObject({
      error: { code: 'tls_untrusted', message: expect.stringContaining('(CN=other.example may not sign others)') },
    });
  });

  test('a certificate is read again at each check', async () => {
    const [first, second] = [await issue({}), await issue({})];
    const port = await freePort();
    await using target = await tlsTarget(full(first), undefined, port);
    const before = await check(target.url);
    await target.close();
    await using renewed = await tlsTarget(full(second), undefined, port);
    const after = await check(renewed.url);
    expect(after.certificate?.fingerprint).not.toBe(before.certificate?.fingerprint);
  });

  test('a certificate behind a redirect is not recorded, but fails the check if it is not trusted', async () => {
    await using bad = await tlsTarget(await makeCertificate());
    await using plain = await httpTarget(redirect(bad.url));
    expect(await check(plain.url)).toMatchObject({
      verdict: 'down',
      certificate: null,
      error: { code: 'tls_untrusted' },
    });
    await using good = await tlsTarget(full(world.chain.leaf), redirect(bad.url));
    expect(await check(good.url)).toMatchObject({ certificate: { error: null }, error: { code: 'tls_untrusted' } });
  });

  test('a certificate that is not trusted prevents the request, so that no credentials are sent', async () => {
    const seen: string[] = [];
    await using target = await tlsTarget(await makeCertificate(), (request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    await check(target.url, { headers: { authorization: 'secret' } });
    expect(seen).toEqual([]);
  });
});

test('NODE_EXTRA_CA_CERTS adds a trusted root', async () => {
  await using target = await tlsTarget(full(world.chain.leaf));
  const folder = await mkdtemp(join(tmpdir(), 'uptime-ca-'));
  const file = join(folder, 'root.pem');
  writeFileSync(file, world.chain.root.cert);
  const script = `
    import { monitorOf, testContext } from '${new URL('../testing/targets/index.ts', import.meta.url).href}';
    import { checkHttp } from '${new URL('./http.ts', import.meta.url).href}';
    const outcome = await checkHttp(monitorOf({ type: 'http', url: '${target.url}' }), testContext());
    console.log(outcome.verdict, outcome.certificate.error);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=x-source', '--input-type=module', '-e', script],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: file } },
  );
  await rm(folder, { recursive: true });
  expect(stdout.trim()).toBe('up null');
});

/** Copies a certificate and signs it with another issuer's key and another algorithm. Returns PEM. */
async function signedAnew({ certificate }: Issued, issuer: Issued, signingAlgorithm: EcdsaParams): Promise<string> {
  const { subject, serialNumber, notBefore, notAfter, publicKey, extensions } = certificate;
  const signed = await x509.X509CertificateGenerator.create({
    subject,
    serialNumber,
    notBefore,
    notAfter,
    publicKey,
    extensions,
    signingAlgorithm,
    issuer: issuer.certificate.subject,
    signingKey: issuer.keys.privateKey,
  });
  return `${signed.toString('pem')}\n`;
}
