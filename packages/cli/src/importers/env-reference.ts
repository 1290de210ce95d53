/**
 * Marks the name of an environment variable that the other program already uses, with a character before and after it
 * that no file needs. The writer turns this reference into `${NAME}`.
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

/** Removes the two marking characters from the text of a file, so that the file itself cannot contain a reference. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\ue000\ue001]/g, '');
