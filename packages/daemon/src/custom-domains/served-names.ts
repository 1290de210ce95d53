import type { Store } from '../store/store.ts';

/** A page as it is found on its own domain. */
export interface ServedPage {
  /** The custom domain, in lower case and punycode. */
  name: string;
  slug: string;
}

/** Which page is on which host, kept in memory. `isOwn` names hosts that no page may take. */
export function createServedNames(store: Store, isOwn: (name: string) => boolean) {
  let served = new Map<string, ServedPage>();
  let bound = new Set<string>();
  return {
    /** Reads anew which names there are. */
    async load(): Promise<void> {
      const pages = await store.db
        .selectFrom('status_page')
        .select(['custom_domain as name', 'slug', 'domain_status'])
        .where('custom_domain', 'is not', null)
        .$narrowType<{ name: string }>()
        .execute();
      bound = new Set(pages.map(({ name }) => name));
      served = new Map(
        pages
          .filter(({ name, domain_status }) => domain_status === 'active' && !isOwn(name))
          .map(({ name, slug }) => [name, { name, slug }]),
      );
    },
    /** The page of a `Host` header, or null. */
    pageAt: (host: string): ServedPage | null => (served.size === 0 ? null : (served.get(nameIn(host)) ?? null)),
    /** Names that answer. */
    served: (): Iterable<string> => served.keys(),
    /** Names that some page has, whether they answer or not. */
    bound: (): ReadonlySet<string> => bound,
  };
}

/** Without port and closing dot, in lower case. */
const nameIn = (host: string): string => host.toLowerCase().replace(/\.?(?::\d*)?$/, '');
