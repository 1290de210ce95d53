/**
 * A reference to an environment variable that the other program already uses. It stands between two characters that no
 * file needs, until the writer turns it into `${NAME}`.
 */
export const envReference = (name: string): string => `\ue000${name}\ue001`;

const pattern = /\ue000([A-Za-z_][A-Za-z0-9_]*)\ue001/g;

export const hasReference = (text: string): boolean => text.search(pattern) >= 0;

/** Replaces each reference in a text. */
export const replaceReferences = (text: string, put: (name: string) => string): string =>
  text.replaceAll(pattern, (_, name: string) => put(name));

/** Turns `${NAME}`, and with `bare` also `$NAME`, into references. */
export const readReferences = (text: string, { bare = false } = {}): string =>
  text
    .replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => envReference(name))
    .replaceAll(/\$([A-Z_][A-Z0-9_]*)/g, (all, name: string) => (bare ? envReference(name) : all));

/** Removes the marks from a file, so that only the readers above can set them. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\ue000\ue001]/g, '');
