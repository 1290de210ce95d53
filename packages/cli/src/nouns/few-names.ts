/** Returns the first names as text, with the number of further names. */
export function fewNames(names: readonly string[]): string {
  const most = 3;
  if (names.length === 0) return '-';
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).join(', ') + more;
}
