const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes plain text for HTML, quoted attributes and XML. */
export const escapeHtml = (text: string): string =>
  withoutControls(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);

/** Escapes only `&`, `<` and `>` in plain text, for formats that know no other entities. */
export const escapeAngles = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character]!);

/** Removes the characters that XML 1.0 does not allow and that HTML should not contain. */
export const withoutControls = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}--[\t\n\r]]|[\ufdd0-\ufdef\ufffe\uffff]/gv, '');
