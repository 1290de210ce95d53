/**
 * The query of the page that a Link header names as next, or null after the last.
 * Only the query is taken from it: the address stays the caller's, whatever name a proxy gave the server.
 */
export function nextPage(link: string | null, current: object): object | null {
  const target = link?.match(/<([^>]*)>[^,]*;\s*rel="?next\b/i)?.[1];
  const query = target?.split('#')[0]?.split('?')[1];
  if (!query) return null;
  // A server that names the page it just gave would otherwise be asked for ever.
  if (query === String(new URLSearchParams(Object.entries<string>({ ...current })))) return null;
  return Object.fromEntries(new URLSearchParams(query));
}
