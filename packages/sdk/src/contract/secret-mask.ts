/** The text that people see in place of a secret, or of its hidden part. */
export const secretMask = '••••';
