import { describe, expect, test } from 'vitest';
import {
  bytesTarget,
  httpTarget,
  type Issued,
  makeCertificate,
  tcpTarget,
  tlsTarget,
} from '../testing/targets/index.ts';
import { createTlsWorld } from '../testing/tls-chain.ts';

const world = createTlsWorld();

const { day, full, check, issue } = world;

describe('a handshake', () => {
  const requiringClientCertificate = (leaf: Issued, version: 'TLSv1.2' | 'TLSv1.3') => ({
    ...full(leaf),
    requestCert: true,
    rejectUnauthorized: true,
    ca: world.chain.root.cert,
    minVersion: version,
    maxVersion: version,
  });

  test('a handshake that asks for a client certificate fails as tls_client_cert, and records the server certificate', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      await using target = await tlsTarget(requiringClientCertificate(world.chain.leaf, version));
      expect(await check(target.url), version).toMatchObject({
        verdict: 'down',
        error: { code: 'tls_client_cert' },
        statusCode: null,
        certificate: { subject: 'CN=localhost', error: null },
      });
    }
  });

  test('a handshake with a certificate for other hosts fails, and the message names these hosts and the requested host', async () => {
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

  test('a handshake that never completes still records what is wrong with the server certificate', async () => {
    const expired = { notBefore: new Date(Date.now() - 9 * day), notAfter: new Date(Date.now() - day) };
    for (const [code, leaf] of [
      ['tls_hostname', await issue({ hosts: ['other.example'] })],
      ['tls_expired', await issue(expired)],
      ['tls_untrusted', await makeCertificate()],
    ] as const) {
      await using target = await tlsTarget(requiringClientCertificate(leaf, 'TLSv1.2'));
      expect(await check(target.url)).toMatchObject({
        error: { code: 'tls_client_cert' },
        certificate: { error: { code } },
      });
    }
  });

  test('a handshake with a server that has only old versions of TLS fails as tls_protocol', async () => {
    await using target = await tlsTarget({
      ...full(world.chain.leaf),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    });
    expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'tls_protocol' } });
  });

  test('a handshake without a common cipher fails as tls_protocol', async () => {
    await using target = await tlsTarget({
      ...full(world.chain.leaf),
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0',
      ecdhCurve: 'secp521r1',
      sigalgs: 'RSA+SHA1',
    });
    expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'tls_protocol' } });
  });

  test('a handshake with weak Diffie-Hellman parameters fails as tls_weak', async () => {
    const rsa = await issue({ rsaBits: 2048 });
    await using target = await tlsTarget({
      ...full(rsa),
      maxVersion: 'TLSv1.2',
      ciphers: 'DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
      dhparam: weakParameters,
    });
    expect(await check(target.url)).toMatchObject({ verdict: 'down', error: { code: 'tls_weak' } });
  });

  test('a handshake with a server that speaks plain HTTP fails as tls_protocol', async () => {
    await using target = await httpTarget();
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({
      verdict: 'down',
      error: { code: 'tls_protocol' },
    });
  });

  test('a handshake that OpenSSL rejects for another reason fails as tls_other', async () => {
    // The server sends a fatal alert with the code "internal error".
    await using target = await bytesTarget(Buffer.from([0x15, 3, 3, 0, 2, 2, 80]), 'stay');
    expect(await check(`https://127.0.0.1:${target.port}/`)).toMatchObject({
      verdict: 'down',
      error: { code: 'tls_other', message: expect.stringMatching(/internal error/) },
    });
  });

  test('a handshake fails as reset if it breaks off, and as timeout if it hangs', async () => {
    await using closes = await tcpTarget((socket) => socket.once('data', () => socket.end()));
    expect(await check(`https://127.0.0.1:${closes.port}/`)).toMatchObject({ error: { code: 'reset' } });
    await using hangs = await tcpTarget();
    expect(await check(`https://127.0.0.1:${hangs.port}/`, { timeout: 3 })).toMatchObject({
      error: { code: 'timeout' },
    });
  });
});

/** Diffie-Hellman parameters of 1024 bits: large enough for a Node server, and too small for a Node client. */
const weakParameters = `-----BEGIN DH PARAMETERS-----
MIGHAoGBANw9fJ1Qh6yedix0xoo6+VZLzlna2Bgx3NV9saGxg5JR3f2FeJTvV9Vi
jRHbtUicRov6Xir9lKiirgZnB7ZGiaiN1jcawtetSwHVarOy/uHVASR17iGPTEQP
NIN//D4po7PtcHIUWOjoyzIhKN3hVdx7R0IbpWFRQhpQwlOTLV0/AgEC
-----END DH PARAMETERS-----
`;
