/** Whether a word is a whole ping address. */
export const isAddress = (word: string): boolean => /^https?:\/\//i.test(word);

/** Whether a word may be a ping token; a monitor's name may look like one too. */
export const mayBeToken = (word: string): boolean => /^[A-Za-z0-9_-]{16,128}$/.test(word);
