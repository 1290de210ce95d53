/** Whether a word is a complete address for pings. */
export const isAddress = (word: string): boolean => /^https?:\/\//i.test(word);

/** Whether a word has the form of a ping token. The name of a monitor may have that form too. */
export const mayBeToken = (word: string): boolean => /^[A-Za-z0-9_-]{16,128}$/.test(word);
