/** The text that people see in place of a secret, or of its hidden part. */
export const secretMask = '••••';

/** Whether a value is a text that contains the mask: the whole text, or a part of it, is hidden. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes(secretMask);
