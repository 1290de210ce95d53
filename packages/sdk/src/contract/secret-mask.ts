/** Replaces a secret, or the hidden part of one, in all that people read. */
export const secretMask = '••••';
