import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
// The next import needs it.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bytesTarget,
  httpTarget,
  type Issued,
  makeCertificate,
  makeChain,
  monitorOf,
  redirect,
  tcpTarget,
  testContext,
  tlsTarget,
} from '../testing/targets/index.ts';
import { checkHttp } from './http.ts';

const day = 86_400_000;
let chain: { root: Issued; intermediate: Issued; leaf: Issued };
beforeAll(async () => {
  chain = await makeChain();
});

const full = (leaf: Issued) => ({ cert: leaf.cert + chain.intermediate.cert, key: leaf.key });
const check = (url: string, fields: object = {}, ca = chain.root.cert) =>
  checkHttp(monitorOf({ type: 'http', url, timeout: 5, ...fields }), testContext({ ca }));
const issue = (options: Parameters<typeof makeCertificate>[0]) =>
  makeCertificate({ ...options, issuer: chain.intermediate });

describe('a certificate', () => {
  test('that can be verified is read: dates, names, fingerprint, and the handshake is timed', async () => {
    await using target = await tlsTarget(full(chain.leaf));
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({
      verdict: 'up',
      statusCode: 200,
      timings: { tls: expect.any(Number) },
      certificate: { issuer: 'CN=Test Intermediate', subject: 'CN=localhost', error: null },
    });
    expect(outcome.certificate?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(outcome.certificate?.validTo).toBe(chain.leaf.certificate.notAfter.getTime());
  });

  test('is verified for an address too', async () => {
    await using target = await tlsTarget(full(chain.leaf));
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({ verdict: 'up' });
  });

  test.each(['127.1', '0x7f.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.0.0.1.'])(
    'is compared with the address that %s means, not with its notation',
    async (host) => {
      await using target = await tlsTarget(full(chain.leaf));
      expect(await check(`https://${host}:${target.port}/`)).toMatchObject({ verdict: 'up' });
      // Impossible names that were made to look like the address.
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
    ['without its intermediate', 'tls_incomplete_chain', async () => chain.leaf],
    ['for clients', 'tls_purpose', async () => full(await issue({ usage: 'client' }))],
    [
      'with a key of 1024 bits',
      'tls_weak',
      async () => ({ ...full(await issue({ rsaBits: 1024 })), ciphers: 'DEFAULT:@SECLEVEL=0' }),
    ],
  ];
  test.each(faults)('%s is %s, is read all the same, and can be accepted', async (_name, code, make) => {
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

  test('under an intermediate or root that is too weak is tls_weak, and the message names it', async () => {
    const sha1 = await signedAnew(chain.intermediate, chain.root, { name: 'ECDSA', hash: 'SHA-1' });
    await using signature = await tlsTarget({ ...chain.leaf, cert: chain.leaf.cert + sha1, ciphers: anySize });
    expect(await check(signature.url)).toMatchObject(
      weak('a certificate of the chain, CN=Test Intermediate, is too weak: it is signed by ecdsa-with-SHA1'),
    );

    const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const small = await makeCertificate({ ca: true, name: 'Small CA', rsaBits: 1024, issuer: chain.root });
    const underSmall = await signedAnew(chain.leaf, small, rsa);
    await using key = await tlsTarget({ ...chain.leaf, cert: underSmall + small.cert, ciphers: anySize });
    expect(await check(key.url)).toMatchObject(
      weak('a certificate of the chain, CN=Small CA, is too weak: its key has 1024 bits'),
    );

    // The root is known here, but no server sends it.
    const root = await makeCertificate({ ca: true, name: 'Small Root', rsaBits: 1024 });
    await using underRoot = await tlsTarget({ ...chain.leaf, cert: await signedAnew(chain.leaf, root, rsa) });
    expect(await check(underRoot.url, {}, root.cert)).toMatchObject(
      weak('a certificate of the chain, CN=Small Root, is too weak: its key has 1024 bits'),
    );
  });

  test('signed by a certificate that may not sign is tls_untrusted, and the message names it', async () => {
    const server = await issue({ hosts: ['other.example'] });
    const leaf = await makeCertificate({ issuer: server });
    await using target = await tlsTarget({ ...leaf, cert: leaf.cert + server.cert + chain.intermediate.cert });
    expect(await check(target.url)).toMatchObject({
      error: { code: 'tls_untrusted', message: expect.stringContaining('(CN=other.example may not sign others)') },
    });
  });

  test('is read again at each check', async () => {
    const [first, second] = [await issue({}), await issue({})];
    await using target = await tlsTarget(full(first));
    const before = await check(target.url);
    const { port } = target;
    await target.close();
    await using renewed = await tlsTarget(full(second), undefined, port);
    const after = await check(renewed.url);
    expect(after.certificate?.fingerprint).not.toBe(before.certificate?.fingerprint);
  });

  test("is kept for the monitor's own address, and a bad one behind a redirect fails the check", async () => {
    await using bad = await tlsTarget(await makeCertificate());
    await using plain = await httpTarget(redirect(bad.url));
    expect(await check(plain.url)).toMatchObject({
      verdict: 'down',
      certificate: null,
      error: { code: 'tls_untrusted' },
    });
    await using good = await tlsTarget(full(chain.leaf), redirect(bad.url));
    expect(await check(good.url)).toMatchObject({ certificate: { error: null }, error: { code: 'tls_untrusted' } });
  });

  test('that is not trusted gets no request, and so no credentials', async () => {
    const seen: string[] = [];
    await using target = await tlsTarget(await makeCertificate(), (request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    await check(target.url, { headers: { authorization: 'secret' } });
    expect(seen).toEqual([]);
  });
});

describe('a handshake', () => {
  const askingBack = (leaf: Issued, version: 'TLSv1.2' | 'TLSv1.3') => ({
    ...full(leaf),
    requestCert: true,
    rejectUnauthorized: true,
    ca: chain.root.cert,
    minVersion: version,
    maxVersion: version,
  });

  test('that asks for a client certificate is tls_client_cert, in TLS 1.2 and 1.3, with the certificate read', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      await using target = await tlsTarget(askingBack(chain.leaf, version));
      expect(await check(target.url), version).toMatchObject({
        verdict: 'down',
        error: { code: 'tls_client_cert' },
        statusCode: null,
        certificate: { subject: 'CN=localhost', error: null },
      });
    }
  });

  test('for other hosts names them as far as there is room, and the host asked for', async () => {
    await using one = await tlsTarget(full(await issue({ hosts: ['other.example', 'www.other.example'] })));
    const { error } = await check(one.url);
    expect(error?.code).toBe('tls_hostname');
    expect(error?.message).toContain(
      `asked for ${new URL(one.url).hostname}; it is for other.example, www.other.example)`,
    );
    const hosts = Array.from({ length: 60 }, (_, i) => `shop-${i}.example`);
    await using many = await tlsTarget(full(await issue({ hosts })));
    const message = (await check(many.url)).error?.message ?? '';
    expect(message).toMatch(/shop-0\.example, .* and \d+ more\)$/);
    expect(message.length).toBeLessThanOrEqual(300);
  });

  test('is judged even if the handshake never completes', async () => {
    const expired = { notBefore: new Date(Date.now() - 9 * day), notAfter: new Date(Date.now() - day) };
    for (const [code, leaf] of [
      ['tls_hostname', await issue({ hosts: ['other.example'] })],
      ['tls_expired', await issue(expired)],
      ['tls_untrusted', await makeCertificate()],
    ] as const) {
      await using target = await tlsTarget(askingBack(leaf, 'TLSv1.2'));
      expect(await check(target.url)).toMatchObject({
        error: { code: 'tls_client_cert' },
        certificate: { error: { code } },
      });
    }
  });

  test('with an old version only is tls_protocol', async () => {
    await using target = await tlsTarget({
      ...full(chain.leaf),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    });
    expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'tls_protocol' } });
  });

  test('with no cipher in common is tls_protocol', async () => {
    await using target = await tlsTarget({
      ...full(chain.leaf),
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0',
      ecdhCurve: 'secp521r1',
      sigalgs: 'RSA+SHA1',
    });
    expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'tls_protocol' } });
  });

  test('with weak Diffie-Hellman is tls_weak', async () => {
    const rsa = await issue({ rsaBits: 2048 });
    await using target = await tlsTarget({
      ...full(rsa),
      maxVersion: 'TLSv1.2',
      ciphers: 'DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
      dhparam: weakParameters,
    });
    expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'tls_weak' } });
  });

  test('with what speaks plain HTTP is tls_protocol', async () => {
    await using target = await httpTarget();
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({
      verdict: 'down',
      error: { code: 'tls_protocol' },
    });
  });

  test('that OpenSSL rejects for another reason is tls_other', async () => {
    // A fatal alert with the code "internal error".
    await using target = await bytesTarget(Buffer.from([0x15, 3, 3, 0, 2, 2, 80]), 'stay');
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({
      verdict: 'down',
      error: { code: 'tls_other', message: expect.stringMatching(/internal error/) },
    });
  });

  test('that is broken off is reset, and one that hangs is a timeout', async () => {
    await using closes = await tcpTarget((socket) => socket.once('data', () => socket.end()));
    expect(await check(`https://127.0.0.1:${closes.port}/`)).toMatchObject({ error: { code: 'reset' } });
    await using hangs = await tcpTarget();
    expect(await check(`https://127.0.0.1:${hangs.port}/`, { timeout: 1 })).toMatchObject({
      error: { code: 'timeout' },
    });
  });
});

test('NODE_EXTRA_CA_CERTS adds a trusted root', async () => {
  await using target = await tlsTarget(full(chain.leaf));
  const folder = await mkdtemp(join(tmpdir(), 'uptime-ca-'));
  const file = join(folder, 'root.pem');
  writeFileSync(file, chain.root.cert);
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

/** 1024 bits: the largest size that Node lets a server use and a client refuses. */
const weakParameters = `-----BEGIN DH PARAMETERS-----
MIGHAoGBANw9fJ1Qh6yedix0xoo6+VZLzlna2Bgx3NV9saGxg5JR3f2FeJTvV9Vi
jRHbtUicRov6Xir9lKiirgZnB7ZGiaiN1jcawtetSwHVarOy/uHVASR17iGPTEQP
NIN//D4po7PtcHIUWOjoyzIhKN3hVdx7R0IbpWFRQhpQwlOTLV0/AgEC
-----END DH PARAMETERS-----
`;
