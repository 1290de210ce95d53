import { escapeMarkup } from '@uptime/sdk/contract';

/** Escapes plain text for HTML, quoted attributes and XML, and removes control characters. */
export const escapeHtml = (text: string): string => escapeMarkup(withoutControls(text));

/** Escapes only `&`, `<` and `>` in plain text, for formats that know no other entities. */
export const escapeAngles = (text: string): string => text.replaceAll(/[&<>]/g, escapeMarkup);

/** Removes the characters that XML 1.0 does not allow and that HTML should not contain. */
export const withoutControls = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}--[\t\n\r]]|[\ufdd0-\ufdef\ufffe\uffff]/gv, '');
