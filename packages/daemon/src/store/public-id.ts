import { createHash } from 'node:crypto';

/**
 * The last part of an incident's public address. It never changes, and the id cannot be derived from it, because an id
 * has 80 random bits.
 */
export const publicId = (id: string): string => createHash('sha256').update(`public ${id}`).digest('hex').slice(0, 20);
