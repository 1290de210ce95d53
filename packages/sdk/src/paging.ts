/**
 * Returns the query of the next page from a Link header, or null after the last page.
 * Only the query comes from the header, because a server behind a proxy may not know its own address.
 */
export function nextPage(link: string | null, current: object): object | null {
  const target = link?.match(/<([^>]*)>[^,]*;\s*rel="?next\b/i)?.[1];
  const query = target?.split('#')[0]?.split('?')[1];
  if (!query) return null;
  // If the server names the current page as the next one, the iteration ends here. Otherwise it would never end.
  if (query === String(new URLSearchParams(Object.entries<string>({ ...current })))) return null;
  return Object.fromEntries(new URLSearchParams(query));
}
