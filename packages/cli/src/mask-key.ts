/** Masks a key for display: keeps its prefix and its last four characters. */
export const maskKey = (key: string): string =>
  key.length >= 16 ? `${key.startsWith('uptime_') ? 'uptime_' : ''}…${key.slice(-4)}` : '…';
