import type { SecureContext } from 'node:tls';
import type { Resolver } from '../checks/resolver.ts';
import type { Clock, Logger } from '../deps.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import { openCertificateFiles } from './certificate-files.ts';
import { openCertificates } from './certificates.ts';
import { createOrderCertificate } from './order-certificate.ts';
import { createServedNames, type ServedPage } from './served-names.ts';
import { createDomainWatch } from './watch-domains.ts';
import { whereItPoints } from './where-it-points.ts';

export interface CustomDomainsOptions {
  store: Store;
  resolver: Resolver;
  /** What the names must point at. */
  publicHost: () => string;
  /** Hosts that the service answers on itself. */
  ownHosts: () => readonly string[];
  /** Aborted when the daemon stops: looks under way end without a result. */
  stopping: AbortSignal;
  /** Null where something in front of the daemon ends TLS, and no certificate is needed. */
  certificates: { dataDir: string; directoryUrl: string; email: string | null } | null;
}

export interface CustomDomains {
  /** The page that is served on the host of this `Host` header; null for all other hosts. Asks nobody. */
  pageAt(host: string): ServedPage | null;
  /** What proves to a certificate authority that a name is served here, by its token. */
  proofOf(token: string): string | null;
  /** What a handshake with this name is answered with, or null. Asks nobody. */
  contextOf(name: string): SecureContext | null;
  /** How a page's domain does; null where it has none. */
  stateOf(page: StatusPageRow): { status: 'pending' | 'active' | 'error'; error: string | null } | null;
  /** Looks at once where a page's domain points, writes it down, and sees to its certificate without waiting for it. */
  look(page: StatusPageRow & { custom_domain: string }): Promise<void>;
  /** Looks at the domains that are due; answers whether there may be more. */
  lookAtDue(): Promise<boolean>;
  /** Takes over what changed in the store: names served, certificates wanted. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** Status pages on names of their owners: which there are, whether they point here, and their certificates. */
export async function openCustomDomains(
  deps: { clock: Clock; log: Logger },
  { store, resolver, publicHost, ownHosts, stopping, certificates: wanted }: CustomDomainsOptions,
): Promise<CustomDomains> {
  const proofs = new Map<string, string>();
  const names = createServedNames(store, (name) => ownHosts().includes(name));
  const watch = createDomainWatch(deps.clock, store, {
    look: (name) => whereItPoints(name, publicHost(), { resolver, clock: deps.clock, signal: stopping }),
    stopping,
  });
  const certificates = wanted && (await openKept(deps, wanted, proofs));

  const refresh = async () => {
    await names.load();
    await certificates?.tend(names.served(), names.bound());
  };

  await names.load();
  return {
    pageAt: names.pageAt,
    proofOf: (token) => proofs.get(token) ?? null,
    contextOf: (name) => certificates?.contextOf(name) ?? null,
    stateOf({ custom_domain: name, domain_status, domain_error }) {
      if (name === null) return null;
      if (domain_status !== 'active' || !certificates)
        return { status: domain_status ?? 'pending', error: domain_error };
      const { ready, error } = certificates.stateOf(name);
      if (ready) return { status: 'active', error: error && `The certificate could not be renewed: ${error}` };
      if (error === null) return { status: 'pending', error: null };
      return { status: 'error', error: `It points here, but there is no certificate for it yet: ${error}` };
    },
    async look(page) {
      await watch.lookAt(page);
      certificates?.hurry(page.custom_domain);
      await refresh();
    },
    async lookAtDue() {
      const { looked, more } = await watch.lookAtDue();
      if (looked) await refresh();
      return more;
    },
    refresh,
    async close() {
      await certificates?.close();
    },
  };
}

async function openKept(
  deps: { clock: Clock; log: Logger },
  { dataDir, directoryUrl, email }: NonNullable<CustomDomainsOptions['certificates']>,
  proofs: Map<string, string>,
) {
  const files = await openCertificateFiles(dataDir);
  const order = createOrderCertificate(deps.clock, {
    directoryUrl,
    email,
    accountKey: { read: files.readAccountKey, write: files.writeAccountKey },
    proofs,
  });
  return openCertificates(deps, files, order);
}
