/** Stands for a value that is not shown. The server masks all but the end of a secret in the same way. */
export const mask = '••••';

/** Whether a value, or the password in it, is masked. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes(mask);

/** Masks a key for display: keeps its prefix and its last four characters. */
export const maskKey = (key: string): string =>
  key.length >= 16 ? `${key.startsWith('uptime_') ? 'uptime_' : ''}…${key.slice(-4)}` : '…';
