/** A shorter secret is masked completely, because its last characters would be a large part of it. */
const shortestPartlyShown = 16;

/**
 * Masks a secret for display: keeps its last four characters. The contract has `maskTail` for the API. Commands do not
 * load the contract at their start, so the command line has a mask of its own.
 */
export const maskSecret = (secret: string): string =>
  secret.length < shortestPartlyShown ? '…' : `…${secret.slice(-4)}`;

/** Masks a key for display: keeps its prefix and its last four characters. */
export const maskKey = (key: string): string =>
  key.length >= shortestPartlyShown && key.startsWith('uptime_') ? `uptime_${maskSecret(key)}` : maskSecret(key);
