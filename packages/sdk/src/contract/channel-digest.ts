/**
 * Returns a channel's id, a newline, and its plain config. The SHA-256 of this text, in hex, is the `configDigest` of
 * the channel. The config has its defaults filled in, and is JSON with sorted keys and no spaces.
 */
export const configDigestText = (channelId: string, config: object): string => `${channelId}\n${sortedJson(config)}`;

/** Returns JSON with sorted keys. `JSON.stringify` of a sorted object would put keys that look like integers first. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`).join(',')}}`;
}
