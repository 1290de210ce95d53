import type { Store } from '../store/store.ts';

/** A status page on its custom domain. */
export interface ServedPage {
  /** The custom domain, in lower case and punycode. */
  name: string;
  slug: string;
}

/**
 * Creates a list of custom domains and their pages, in memory. `isOwn` returns true for a host on which no page may be
 * served.
 */
export function createServedNames(store: Store, isOwn: (name: string) => boolean) {
  let served = new Map<string, { page: ServedPage; account: string }>();
  let bound = new Set<string>();
  return {
    /** Reads the custom domains from the store again. */
    async load(): Promise<void> {
      const pages = await store.db
        .selectFrom('status_page')
        .innerJoin('project', 'project.id', 'status_page.project_id')
        .select(['custom_domain as name', 'slug', 'domain_status', 'project.user_id as account'])
        // SQLite uses the index for this condition, but not for `is not null`.
        .where('custom_domain', '>', '')
        .$narrowType<{ name: string }>()
        .execute();
      bound = new Set(pages.map(({ name }) => name));
      served = new Map(
        pages
          .filter(({ name, domain_status }) => domain_status === 'active' && !isOwn(name))
          .map(({ name, slug, account }) => [name, { page: { name, slug }, account }]),
      );
    },
    /** Returns the page for a `Host` header; null if there is none. */
    pageAt: (host: string): ServedPage | null => (served.size === 0 ? null : (served.get(nameIn(host))?.page ?? null)),
    /** Returns the custom domains that are served, with the accounts that their pages belong to. */
    served: (): { name: string; account: string }[] => Array.from(served, ([name, { account }]) => ({ name, account })),
    /** Returns the custom domains of all pages, whether they are served or not. */
    bound: (): ReadonlySet<string> => bound,
  };
}

/** Returns the host that a `Host` header names, in lower case and without port and trailing dot. */
export const nameIn = (host: string): string => host.toLowerCase().replace(/\.?(?::\d*)?$/, '');
