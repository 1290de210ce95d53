import { createHash } from 'node:crypto';

/**
 * Returns the name under which the server stores and shows a probe: a digest of the name that the probe sends. The name
 * that the probe sends must stay secret: with it and a stolen token, a stranger could send results as this probe.
 */
export const storedProbeName = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16);
