/** Warnings count to this number at most, so that their SQL statements need not read all rows of a large table. */
export const maxCounted = 100;
/** Maximum number of channels that one warning names by their ids. */
const maxNamed = 10;

/** Returns a number as warnings show it, such as `7` or `100+`. */
export const countText = (count: number, max = maxCounted): string => (count > max ? `${max}+` : String(count));

/** Returns one warning about the channels with these ids, or an empty list if `ids` is empty. */
export function channelWarning(ids: readonly string[], what: string): string[] {
  if (ids.length === 0) return [];
  const more = ids.length > maxNamed ? ` and ${countText(ids.length - maxNamed, maxCounted - maxNamed)} more` : '';
  const channels = `${countText(ids.length)} ${ids.length === 1 ? 'channel' : 'channels'}`;
  return [`${channels} whose ${what}: ${ids.slice(0, maxNamed).join(', ')}${more}`];
}
