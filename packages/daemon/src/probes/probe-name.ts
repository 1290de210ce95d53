import { createHash } from 'node:crypto';

/**
 * Returns the name under which the server stores and shows a probe: a digest of the name that the probe sends. The name
 * that the probe sends must stay secret. With it and a stolen token, a stranger could send results in the name of the
 * probe.
 */
export const storedProbeName = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16);
