/**
 * The text whose SHA-256, in hex, is a channel's `configDigest`: its id, a newline, and its plain config, defaults filled
 * in, as JSON with sorted keys and no blanks.
 */
export const configDigestText = (channelId: string, config: object): string => `${channelId}\n${sortedJson(config)}`;

/** Written by hand: an object puts keys that look like numbers first, however they are sorted. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`).join(',')}}`;
}
