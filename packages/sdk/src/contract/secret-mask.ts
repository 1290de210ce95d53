/** The text that people see in place of a secret, or of its hidden part. */
export const secretMask = '••••';

/** A shorter secret is masked completely, because four visible characters would reveal too much of it. */
const shortestPartlyShown = 8;

/** Masks a secret: only its last four characters stay visible, so that people can tell secrets apart. */
export function maskTail(secret: string): string {
  const characters = Array.from(secret);
  return secretMask + (characters.length < shortestPartlyShown ? '' : characters.slice(-4).join(''));
}

/** Whether a value is a text that contains the mask. The mask stands for the whole text, or for a part of it. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes(secretMask);
