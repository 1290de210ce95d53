/** Roughly how many bytes a row takes in addition to its texts: for keys, numbers, and entries in indexes. */
export const rowBytes = 200;

/** Bytes that a rule, an incident or a page takes for each monitor or channel that it names. */
export const memberBytes = 40;
