/**
 * Printed in place of a hidden value. The server uses the same characters for the hidden part of a secret, and shows
 * only the end.
 */
export const mask = '••••';

/** Whether a value, or a password within the value, is masked. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes(mask);

/** Masks a key for display: keeps its prefix and its last four characters. */
export const maskKey = (key: string): string =>
  key.length >= 16 ? `${key.startsWith('uptime_') ? 'uptime_' : ''}…${key.slice(-4)}` : '…';
