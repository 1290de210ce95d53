/**
 * Removes the codes of redirects from an `expectedStatus`. A check follows no redirects if its `expectedStatus` names
 * the code of one. The other program does follow them, so only codes of its last response may stay. Returns undefined
 * if no other code is left.
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
