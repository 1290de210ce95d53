/**
 * Returns a reference to an environment variable that the other program already uses. A reference is the name of the
 * variable between two marking characters, which ordinary text never contains. `writeImport` turns it into `${NAME}`.
 */
export const envReference = (name: string): string => `\ue000${name}\ue001`;

const pattern = /\ue000([A-Za-z_][A-Za-z0-9_]*)\ue001/g;

export const hasReference = (text: string): boolean => text.search(pattern) >= 0;

/** Replaces each reference in a text by the result of `put`. */
export const replaceReferences = (text: string, put: (name: string) => string): string =>
  text.replaceAll(pattern, (_, name: string) => put(name));

/** Turns `${NAME}` into a reference. With `bare`, also turns `$NAME` into a reference. */
export const readReferences = (text: string, { bare = false } = {}): string =>
  text
    .replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => envReference(name))
    .replaceAll(/\$([A-Z_][A-Z0-9_]*)/g, (all, name: string) => (bare ? envReference(name) : all));

/** Removes the two marking characters from the text of a file. So the file itself cannot contain a reference. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\ue000\ue001]/g, '');
