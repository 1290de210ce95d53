const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Plain text as HTML, also within an attribute. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);

/** Plain text for formats that know these three entities and no others. */
export const escapeAngles = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character]!);
