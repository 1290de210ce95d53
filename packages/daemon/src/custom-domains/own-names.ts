import { isIP } from 'node:net';
import { asciiHost } from '../checks/resolver.ts';

/** The hosts that belong to the operator of this server. */
export interface OwnNames {
  /** Whether this is the host of the site or the public host. Neither can be the custom domain of a page. */
  isOwn(name: string): boolean;
  /**
   * Whether the name belongs to the operator's domain. A page gets such a name only if a TXT record proves that its
   * project may have it.
   */
  isReserved(name: string): Promise<boolean>;
  /** Returns the host of the site's address if a certificate can be ordered for it; otherwise null. */
  siteName(): string | null;
}

export function createOwnNames({ siteUrl, publicHost }: { siteUrl: () => string; publicHost: () => string }): OwnNames {
  const hosts = () => [bareHost(new URL(siteUrl()).hostname), bareHost(publicHost())];
  return {
    isOwn: (name) => hosts().includes(bareHost(name)),
    async isReserved(name) {
      // The list of public suffixes is large and most servers have no custom domain. So the list is loaded only here.
      const { ownerDomain } = await import('./owner-domain.ts');
      return hosts().some(
        (host) => !isIP(host) && (ownerDomain(host) === ownerDomain(name) || name.endsWith(`.${host}`)),
      );
    },
    siteName: () => {
      const [name = ''] = hosts();
      const isPublicName = name.includes('.') && !isIP(name) && !name.endsWith('.localhost') && !name.startsWith('[');
      return isPublicName ? name : null;
    },
  };
}

/** Returns a host in lower case and punycode, without a dot at its end. */
export const bareHost = (host: string): string => asciiHost(host).toLowerCase().replace(/\.$/, '');
