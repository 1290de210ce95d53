import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { oneLine } from '../checks/failure.ts';
import type { Clock, Logger } from '../deps.ts';
import type { CertificateFiles } from './certificate-files.ts';
import type { OrderCertificate } from './order-certificate.ts';
import { addTry, areForgotten, nextTryAt, type Tries } from './tries.ts';

/** Orders under way at the same time, of different names. */
const mostOrders = 4;

interface Held {
  context: SecureContext;
  /** Epoch milliseconds. */
  renewAt: number;
}

export interface Certificates {
  /** What a handshake with this name is answered with; null for a name that has no certificate here. */
  contextOf(name: string): SecureContext | null;
  /** Whether there is a certificate, and why the last order failed. */
  stateOf(name: string): { ready: boolean; error: string | null };
  /** Orders what is missing or has lived two thirds of its life; forgets what is of no `bound` name. Does not wait for orders. */
  tend(served: Iterable<string>, bound: ReadonlySet<string>): Promise<void>;
  /** Lets the next order of a name come without the wait after a failure; the count per hour holds. */
  hurry(name: string): void;
  /** Gives up the orders under way. */
  close(): Promise<void>;
}

/** Keeps certificates in memory and in files, and orders new ones in time. */
export async function openCertificates(
  { clock, log }: { clock: Clock; log: Logger },
  files: CertificateFiles,
  order: OrderCertificate,
): Promise<Certificates> {
  const held = new Map<string, Held>();
  const failures = new Map<string, string>();
  const orders = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const tries = new Map(Object.entries(JSON.parse((await files.readTries()) ?? '{}') as Record<string, Tries>));
  let wanted: ReadonlySet<string> = new Set();

  for (const { name, pem } of await files.certificates()) {
    try {
      held.set(name, read(name, pem));
    } catch (error) {
      log.warn({ domain: name, err: error }, 'a kept certificate is of no use, and is ordered anew');
    }
  }

  const remember = async (name: string, made: Tries): Promise<void> => {
    tries.set(name, made);
    for (const [other, last] of tries) if (!wanted.has(other) && areForgotten(last, clock.now())) tries.delete(other);
    await files.writeTries(`${JSON.stringify(Object.fromEntries(tries))}\n`);
  };

  const obtain = async (name: string): Promise<void> => {
    const before = tries.get(name) ?? { at: [], failures: 0 };
    try {
      // Counted first: a daemon that is killed over and over does not order over and over.
      await remember(name, addTry({ ...before, failures: before.failures + 1 }, clock.now()));
      const pem = await order(name, stopping.signal);
      const certificate = read(name, pem);
      // The page may be gone meanwhile, and its files with it.
      if (!wanted.has(name)) return;
      await files.writeCertificate(name, pem);
      held.set(name, certificate);
      failures.delete(name);
      await remember(name, { ...(tries.get(name) ?? before), failures: 0 });
      log.info({ domain: name, renewAt: new Date(certificate.renewAt).toISOString() }, 'certificate obtained');
    } catch (error) {
      if (stopping.signal.aborted) return;
      failures.set(name, reasonOf(error));
      log.warn({ domain: name, err: error }, 'no certificate could be obtained; it is tried again');
    }
  };

  return {
    contextOf: (name) => held.get(name.toLowerCase())?.context ?? null,
    stateOf: (name) => ({ ready: held.has(name), error: failures.get(name) ?? null }),
    hurry(name) {
      const made = tries.get(name);
      if (made) tries.set(name, { ...made, failures: 0 });
    },
    async tend(served, bound) {
      wanted = bound;
      for (const name of [...held.keys()].filter((one) => !bound.has(one))) {
        held.delete(name);
        await files.removeCertificate(name);
        log.info({ domain: name }, 'certificate removed: no page has this domain any more');
      }
      for (const name of failures.keys()) if (!bound.has(name)) failures.delete(name);
      const now = clock.now();
      for (const name of served) {
        if (stopping.signal.aborted || orders.size >= mostOrders) return;
        if (orders.has(name) || now < (held.get(name)?.renewAt ?? 0)) continue;
        if (now < nextTryAt(tries.get(name) ?? { at: [], failures: 0 })) continue;
        orders.set(
          name,
          obtain(name).finally(() => orders.delete(name)),
        );
      }
    },
    async close() {
      stopping.abort(new Error('The daemon is stopping.'));
      await Promise.all(orders.values());
    },
  };
}

/** What the page's owner may read: where this daemon keeps its files is not theirs to know. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { path, code, message }: NodeJS.ErrnoException = error;
  return path === undefined ? oneLine(message) : `this server could not keep it (${code})`;
}

/** Throws where key and certificate do not serve this name. */
function read(name: string, pem: string): Held {
  const certificate = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE')));
  if (certificate.checkHost(name) === undefined) throw new Error(`The certificate is not for ${name}.`);
  if (!certificate.checkPrivateKey(createPrivateKey(pem))) throw new Error('The certificate is not of its key.');
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return { context: createSecureContext({ key: pem, cert: pem }), renewAt: from + ((to - from) * 2) / 3 };
}
