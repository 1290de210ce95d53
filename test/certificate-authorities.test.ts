import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { ask } from '../packages/daemon/src/testing/ask.ts';
import { acmeTarget } from '../packages/daemon/src/testing/targets/acme.ts';
import { makeCertificate } from '../packages/daemon/src/testing/targets/certificates.ts';
import { dnsTarget } from '../packages/daemon/src/testing/targets/dns.ts';
import { freePort } from '../packages/daemon/src/testing/targets/free-port.ts';
import { testProgram } from '../packages/daemon/src/testing/test-program.ts';
import { startProgram } from './running-program.ts';

const name = 'status.example.com';

/**
 * A certificate authority for the test. It fetches the proof of the domain from the daemon's HTTP port, `proofsAt`.
 */
interface Authority {
  name: string;
  prepare: (folder: string) => Promise<{
    directoryUrl: string;
    /** A file with the root certificate that the daemon must trust to reach the authority's own server. */
    trust: string;
    start: (options: {
      proofsAt: number;
      nameServer: string;
    }) => Promise<{ roots: () => Promise<string>; stop: () => Promise<void> }>;
  }>;
}

const ours: Authority = {
  name: 'the authority of these tests',
  async prepare(folder) {
    const target = await acmeTarget();
    const trust = join(folder, 'none.pem');
    await writeFile(trust, '');
    return {
      directoryUrl: target.directoryUrl,
      trust,
      async start({ proofsAt }) {
        target.challengePort = proofsAt;
        return { roots: async () => target.ca, stop: () => target.close() };
      },
    };
  },
};

/** The ACME test server of Let's Encrypt, if it is installed. It refuses some nonces on purpose, to test clients. */
const pebble: Authority = {
  name: 'pebble',
  async prepare(folder) {
    const [listen, manage] = [await freePort(), await freePort()];
    const ca = await makeCertificate({ ca: true });
    const own = await makeCertificate({ issuer: ca });
    const [trust, certificate, privateKey, config] = ['ca.pem', 'cert.pem', 'key.pem', 'pebble.json'].map((file) =>
      join(folder, file),
    ) as [string, string, string, string];
    await writeFile(trust, ca.cert);
    await writeFile(certificate, own.cert);
    await writeFile(privateKey, own.key);
    return {
      directoryUrl: `https://localhost:${listen}/dir`,
      trust,
      async start({ proofsAt, nameServer }) {
        const settings = {
          listenAddress: `127.0.0.1:${listen}`,
          managementListenAddress: `127.0.0.1:${manage}`,
          certificate,
          privateKey,
          httpPort: proofsAt,
          tlsPort: proofsAt,
        };
        await writeFile(config, JSON.stringify({ pebble: settings }));
        const program = startProgram('pebble', ['-config', config, '-dnsserver', nameServer], {
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', PEBBLE_VA_NOSLEEP: '1' },
        });
        await program.says(/ACME directory available/);
        return {
          roots: () => read(`https://localhost:${manage}/roots/0`, ca.cert),
          stop: () => program.kill(),
        };
      },
    };
  },
};

const authorities = isInstalled('pebble') ? [ours, pebble] : [ours];

test.each(authorities)('a daemon gets a certificate from $name, and uses it for HTTPS', async ({ prepare }) => {
  const folder = await mkdtemp(join(tmpdir(), 'uptime-acme-'));
  const zones = { [name]: { CNAME: 'pages.example.net' }, 'pages.example.net': { A: ['127.0.0.1'] } };
  await using dns = await dnsTarget(zones);
  const { directoryUrl, trust, start } = await prepare(folder);
  const httpsPort = await freePort();
  const daemon = startProgram(
    process.execPath,
    [...testProgram('uptimed'), 'serve', '--https-port', String(httpsPort)],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        NODE_EXTRA_CA_CERTS: trust,
        UPTIME_PORT: '0',
        UPTIME_PUBLIC_HOST: 'pages.example.net',
        UPTIME_DNS_SERVERS: dns.server,
        UPTIME_ACME_DIRECTORY_URL: directoryUrl,
        UPTIME_ACME_EMAIL: 'ada@example.com',
        UPTIME_LOG_FORMAT: 'json',
      },
    },
  );
  try {
    const [, url] = await daemon.says(/"url":"(http:[^"]+)"/);
    const authority = await start({ proofsAt: Number(new URL(url!).port), nameServer: dns.server });
    try {
      await createPage(url!);
      await daemon.says(/certificate obtained/);
      const ca = await authority.roots();
      const shown = await vi.waitFor(() => ask(httpsPort, name, '/', { ca }), 30_000);
      expect(shown).toMatchObject({ status: 200, body: expect.stringContaining('My page') as string });
      expect(await daemon.end('SIGTERM')).toMatchObject({ code: 0 });
    } finally {
      await authority.stop();
    }
  } finally {
    await daemon.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

async function createPage(url: string): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
    const response = await fetch(url + path, init);
    expect(response.ok).toBe(true);
    return response;
  };
  const person = { name: 'ada', email: 'ada@example.com', password: 'correct horse' };
  const signedUp = await post('/api/auth/sign-up/email', person, {});
  const cookie = signedUp.headers.getSetCookie().map((one) => one.split(';')[0]);
  const project = await post('/api/projects', { name: 'Shop' }, { cookie: cookie.join('; ') });
  const { apiKey } = (await project.json()) as { apiKey: string };
  await post('/api/status-pages', { name: 'My page', slug: 'mine', customDomain: name }, { 'x-api-key': apiKey });
}

function read(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, (response) => void text(response).then(resolve, reject))
      .on('error', reject)
      .end();
  });
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
