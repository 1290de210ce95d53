import { BadRequestError } from '@uptime/sdk';
import type { Writer } from './apply.ts';

/**
 * Returns a writer for servers that may not know `managedBy`. If the server refuses this field, `create` repeats the
 * request without it.
 */
export const withoutUnknownOwner = (writer: Writer): Writer => ({
  update: (id, patch) => writer.update(id, patch),
  delete: (id) => writer.delete(id),
  create: async ({ managedBy, ...fields }) => {
    if (managedBy === undefined) return writer.create(fields);
    try {
      return await writer.create({ managedBy, ...fields });
    } catch (error) {
      const isUnknown = error instanceof BadRequestError && error.errors.some(({ path }) => path === 'managedBy');
      if (!isUnknown) throw error;
      return writer.create(fields);
    }
  },
});
