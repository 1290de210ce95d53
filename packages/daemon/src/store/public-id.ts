import { createHash } from 'node:crypto';

/**
 * Returns the last part of an incident's public address. The result depends only on the id. The id cannot be computed
 * from the result, because an id has 80 random bits.
 */
export const publicId = (id: string): string => createHash('sha256').update(`public ${id}`).digest('hex').slice(0, 20);
