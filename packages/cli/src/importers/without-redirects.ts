/**
 * Removes the codes of redirects from an `expectedStatus`. Here, a check does not follow redirects if its
 * `expectedStatus` contains the code of a redirect. The other program follows redirects and compares only the last
 * response, so these codes have no effect there. Returns undefined if no other code is left.
 */
export function withoutRedirects(status: string): string | undefined {
  const kept = status.split(',').flatMap((part) => {
    const [from = NaN, until = from] = part.split('-').map(Number);
    return [range(from, Math.min(until, 299)), range(Math.max(from, 400), until)].filter((one) => one !== null);
  });
  return kept.length === 0 ? undefined : kept.join(',');
}

const range = (from: number, until: number): string | null =>
  from > until ? null : from === until ? String(from) : `${from}-${until}`;
