import type { Store } from '../store/store.ts';

/** A page on its own domain. */
export interface ServedPage {
  /** The custom domain, in lower case and punycode. */
  name: string;
  slug: string;
}

/** Finds the page of a host, using only memory. `isOwn` recognizes hosts that no page may take. */
export function createServedNames(store: Store, isOwn: (name: string) => boolean) {
  let served = new Map<string, { page: ServedPage; account: string }>();
  let bound = new Set<string>();
  return {
    /** Reads the names from the store again. */
    async load(): Promise<void> {
      const pages = await store.db
        .selectFrom('status_page')
        .innerJoin('project', 'project.id', 'status_page.project_id')
        .select(['custom_domain as name', 'slug', 'domain_status', 'project.user_id as account'])
        // Unlike `is not null`, this makes SQLite use the index.
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
    /** The page of a `Host` header, or null. */
    pageAt: (host: string): ServedPage | null => (served.size === 0 ? null : (served.get(nameIn(host))?.page ?? null)),
    /** The custom domains that are served, with the accounts of their pages. */
    served: (): { name: string; account: string }[] => Array.from(served, ([name, { account }]) => ({ name, account })),
    /** All custom domains of pages, whether they are served or not. */
    bound: (): ReadonlySet<string> => bound,
  };
}

/** The host of a `Host` header: without port and trailing dot, in lower case. */
export const nameIn = (host: string): string => host.toLowerCase().replace(/\.?(?::\d*)?$/, '');
