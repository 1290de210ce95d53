/** Returns the first three names of a list as text. The number of the other names follows. */
export function fewNames(names: readonly string[]): string {
  const maxNames = 3;
  if (names.length === 0) return '-';
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return names.slice(0, maxNames).join(', ') + more;
}
