import type { SecureContext } from 'node:tls';
import type { Resolver } from '../checks/resolver.ts';
import type { Clock, Logger } from '../deps.ts';
import type { Seal } from '../store/seal.ts';
import type { Store } from '../store/store.ts';
import type { StatusPageRow } from '../store/tables.ts';
import { type CertificateFiles, openCertificateFiles } from './certificate-files.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import { type DomainState, domainState } from './domain-state.ts';
import { findProofs, judgeClaim } from './judge-claim.ts';
import { createOrderCertificate } from './acme-order.ts';
import { createOrderProofs, type OrderProofs } from './order-proofs.ts';
import { createOrderTurn } from './order-turn.ts';
import { bareHost, createOwnNames } from './own-names.ts';
import { openMultiNodeCertificates } from './multi-node-certificates.ts';
import { openDatabaseCertificates, takeOverFiles } from './database-certificates.ts';
import { createServedNames, nameIn, type ServedPage } from './served-names.ts';
import { createSiteName } from './site-name.ts';
import { createDomainWatch } from './watch-domains.ts';
import { whereItPoints } from './where-it-points.ts';

export interface CustomDomainsOptions {
  store: Store;
  resolver: Resolver;
  /** The site's address. On its host, the daemon serves the site and never a custom domain. */
  siteUrl: () => string;
  /** The host that custom domains must point at. */
  publicHost: () => string;
  /** Aborted when the daemon stops. This ends all running DNS lookups and certificate orders without a result. */
  stopping: AbortSignal;
  /**
   * The options for certificates. Null if the daemon needs no certificates, because a proxy in front of it handles TLS.
   */
  certificates: {
    dataDir: string;
    directoryUrl: string;
    email: string | null;
    /** Encrypts the certificates that are stored in a shared database. */
    seal: Seal;
    /** The name of this node if it may order certificates; null if other nodes order them. */
    orderer: string | null;
  } | null;
}

export interface CustomDomains {
  /** Returns the page of the host in a `Host` header; null for a host without a page. Reads only memory. */
  pageAt(host: string): ServedPage | null;
  /**
   * Resolves with the content that a certificate authority expects at `/.well-known/acme-challenge/<token>`; null for
   * an unknown token.
   */
  proofOf(token: string): Promise<string | null>;
  /** Returns the certificate for a TLS handshake with this name; null if there is none. Reads only memory. */
  contextOf(name: string): SecureContext | null;
  /** Whether this name has a certificate that has not expired. Then browsers can open the name by HTTPS. */
  isSecure(name: string): boolean;
  /** Whether a `Host` header has the host of the site's address. */
  isSite(host: string): boolean;
  /** Whether this name is the host of the site or the public host. No page may have such a name. */
  isOwn(name: string): boolean;
  /** Resolves with the projects in the TXT records of this name; empty if the name servers fail. */
  proofsOf(name: string): Promise<string[]>;
  /** Resolves with the state of a page's domain; null if the page has no domain. */
  stateOf(page: StatusPageRow): Promise<DomainState | null>;
  /**
   * Checks now where the domain of a page points, and stores the result. Also begins an order for the domain's
   * certificate if one is needed, but does not wait for the order.
   */
  look(page: StatusPageRow & { custom_domain: string }): Promise<void>;
  /** Checks domains that are due for a check. Resolves with whether more domains may be due. */
  lookAtDue(): Promise<boolean>;
  /**
   * Reads the domains of all pages from the store. Then begins the certificate orders that are due, and deletes
   * certificates whose domain neither a page nor the site uses.
   */
  refresh(): Promise<void>;
  /** Returns warnings to the operator about certificates. */
  warnings(): string[];
  close(): Promise<void>;
}

/**
 * Opens the part for status pages on their owners' domains. It keeps track of the domains, whether they point here, and
 * their certificates.
 */
export async function openCustomDomains(
  deps: { clock: Clock; log: Logger },
  { store, resolver, siteUrl, publicHost, stopping, certificates: wanted }: CustomDomainsOptions,
): Promise<CustomDomains> {
  const { clock } = deps;
  const proofs = createOrderProofs(store, clock);
  const ownNames = createOwnNames({ siteUrl, publicHost });
  const names = createServedNames(store, (name) => ownNames.isOwn(name));
  const looking = { resolver, clock, signal: stopping };
  const watch = createDomainWatch(clock, store, {
    judge: (claim) => judgeClaim(claim, { ...looking, publicHost, ownNames }),
    stopping,
  });
  const certificates = wanted && (await openConfiguredCertificates(deps, wanted, { store, proofs, stopping }));
  const site = createSiteName(clock, {
    ownNames,
    isPublicHost: (name) => name === bareHost(publicHost()),
    look: (name) => whereItPoints(name, publicHost(), looking),
  });

  const refresh = async () => {
    await names.load();
    const [here, siteName] = [site.here(), ownNames.siteName()];
    const orders = [...(here === null ? [] : [{ name: here, account: null }]), ...names.served()];
    const bound = siteName === null ? names.bound() : new Set([...names.bound(), siteName]);
    await certificates?.maintain(orders, bound);
  };

  await names.load();
  return {
    pageAt: names.pageAt,
    proofOf: (token) => proofs.find(token),
    contextOf: (name) => certificates?.contextOf(name) ?? null,
    isSecure: (name) => certificates?.stateOf(name).ready ?? false,
    isSite: (host) => nameIn(host) === ownNames.siteName(),
    isOwn: (name) => ownNames.isOwn(name),
    async proofsOf(name) {
      const found = await findProofs(name, looking);
      return Array.isArray(found) ? found : [];
    },
    stateOf: (page) => domainState(page, certificates && ((name) => certificates.stateOf(name))),
    async look(page) {
      await watch.lookAt(page);
      certificates?.orderSoon(page.custom_domain);
      await refresh();
    },
    async lookAtDue() {
      const isSiteNew = certificates !== null && (await site.lookIfDue());
      const { looked, more } = await watch.lookAtDue();
      if (looked || isSiteNew) await refresh();
      return more;
    },
    refresh,
    warnings: () => certificates?.warnings() ?? [],
    async close() {
      await certificates?.close();
    },
  };
}

async function openConfiguredCertificates(
  deps: { clock: Clock; log: Logger },
  { dataDir, directoryUrl, email, seal, orderer }: NonNullable<CustomDomainsOptions['certificates']>,
  { store, proofs, stopping }: { store: Store; proofs: OrderProofs; stopping: AbortSignal },
): Promise<Certificates> {
  const { clock } = deps;
  const files = await openCertificateFiles(dataDir);
  const createOrder = (kept: CertificateFiles) =>
    createOrderCertificate(clock, {
      directoryUrl,
      email,
      accountKey: { read: kept.readAccountKey, write: kept.writeAccountKey },
      proofs,
    });
  if (store.dialect.exclusive) return openCertificates(deps, files, createOrder(files), stopping);
  const stored = await openDatabaseCertificates(store, seal, clock);
  await takeOverFiles(files, stored);
  const turn = createOrderTurn(store, clock, orderer);
  return openMultiNodeCertificates(deps, { stored, order: createOrder(stored), turn, stopping });
}
