import type { Store } from '../store/store.ts';

/** A page as it is found on its own domain. */
export interface ServedPage {
  /** The custom domain, in lower case and punycode. */
  name: string;
  slug: string;
}

/** Which page is on which host, kept in memory. `isOwn` names hosts that no page may take. */
export function createServedNames(store: Store, isOwn: (name: string) => boolean) {
  let served = new Map<string, { page: ServedPage; account: string }>();
  let bound = new Set<string>();
  return {
    /** Reads anew which names there are. */
    async load(): Promise<void> {
      const pages = await store.db
        .selectFrom('status_page')
        .innerJoin('project', 'project.id', 'status_page.project_id')
        .select(['custom_domain as name', 'slug', 'domain_status', 'project.user_id as account'])
        .where('custom_domain', 'is not', null)
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
    /** Names that answer, with the accounts of their pages. */
    served: (): { name: string; account: string }[] => Array.from(served, ([name, { account }]) => ({ name, account })),
    /** Names that some page has, whether they answer or not. */
    bound: (): ReadonlySet<string> => bound,
  };
}

/** The host of a `Host` header: without port and closing dot, in lower case. */
export const nameIn = (host: string): string => host.toLowerCase().replace(/\.?(?::\d*)?$/, '');
