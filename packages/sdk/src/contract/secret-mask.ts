/** Stands for a secret, or for its hidden part, in everything that people read. */
export const secretMask = '••••';
