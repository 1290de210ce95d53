import {
  addFaults,
  channelConfigs,
  channelPatch,
  type ChannelFields,
  type ChannelType,
  type Fault,
  validateChannel,
} from '@uptime/sdk/contract';
import { sql } from 'kysely';
import { invalid, ServiceError } from '../../errors.ts';
import { giveUpDelivery } from '../../operations/alerts/finish-delivery.ts';
import { reviveChannel } from '../../operations/alerts/revive-channel.ts';
import { unreadable } from '../../operations/courier.ts';
import { newId } from '../../store/ids.ts';
import type { ChannelRow } from '../../store/tables.ts';
import type { Handler, OwnValidation } from '../handler.ts';
import { lockProject } from '../lock-project.ts';
import { isObject, mergePatch } from '../merge-patch.ts';
import { withoutReadOnly } from '../sent-back.ts';
import { refuseTakenKey } from '../taken-key.ts';
import { destinationFaults } from './destination-faults.ts';
import { maskFaults, unmaskConfig } from './mask.ts';
import { findRow } from '../find-row.ts';
import { renderChannel } from './read.ts';

export const createChannel: OwnValidation<'createChannel'> = {
  validatesBody: true,
  handle: async (request, { courier, deps }) => {
    const { config, ...fields } = checked(request.body);
    return request.create({ ...fields, config }, async (trx) => {
      await lockProject(trx, request.project);
      await refuseTakenKey(trx, 'channel', request.project, { key: fields.key, self: null });
      const now = deps.clock.now();
      const id = newId('chn', now);
      const row = await trx
        .insertInto('channel')
        .values({
          id,
          project_id: request.project.id,
          ...fields,
          config: courier.seal(id, config),
          last_sent_at: null,
          last_error: null,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return renderChannel(row, courier);
    });
  },
};

export const updateChannel: OwnValidation<'updateChannel'> = {
  validatesBody: true,
  handle: (request, { store, courier, deps }) =>
    store.write(async (trx) => {
      await lockProject(trx, request.project);
      const row = await findRow(trx, 'channel', request.project, request.params.channelId);
      const stored = courier.open(row);
      // Without it every required field would be reported as missing, although the body need not have them.
      if (stored === null && isObject(request.body) && request.body.config === undefined)
        throw new ServiceError('conflict', unreadable);
      const before = { key: row.key, name: row.name, type: row.type, config: stored ?? {} };
      const patch = await withoutReadOnly(request.body, channelPatch, () => renderChannel(row, courier));
      const { config, ...fields } = checked(patched(before, patch));
      if (stored !== null && fields.type === row.type) {
        const sent = isObject(patch) ? patch.config : undefined;
        const faults = destinationFaults(row.type, { stored: { ...stored }, config: { ...config }, sent });
        if (faults.length > 0) throw invalid(faults);
      }
      const now = deps.clock.now();
      const newConfig = stored === null || JSON.stringify(config) !== JSON.stringify(stored);
      // Nothing changed, so nothing is written, and updatedAt stays.
      if (!newConfig && JSON.stringify({ ...before, ...fields }) === JSON.stringify(before))
        return renderChannel(row, courier);
      await refuseTakenKey(trx, 'channel', request.project, { key: fields.key, self: row.seq });
      const changed = await trx
        .updateTable('channel')
        .set({
          ...fields,
          ...(newConfig && { config: courier.seal(row.id, config), last_error: null, wait_until: 0, limits: 0 }),
          updated_at: now,
        })
        .where('seq', '=', row.seq)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (newConfig) await reviveChannel(trx, row.seq, { at: now, fresh: true });
      return renderChannel(changed, courier);
    }),
};

export const deleteChannel: Handler<'deleteChannel'> = (request, { store, deps }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const { seq } = await findRow(trx, 'channel', request.project, request.params.channelId);
    const pending = await trx
      .selectFrom('delivery')
      .selectAll()
      .where('channel', '=', seq)
      .where('status', '=', sql.lit('pending'))
      .orderBy('seq')
      .execute();
    for (const delivery of pending) {
      await giveUpDelivery(trx, delivery, { why: 'The channel was deleted.', now: deps.clock.now() });
    }
    await trx
      .updateTable('alert')
      .set({ remind_at: null })
      .where('channel', '=', seq)
      .where('remind_at', 'is not', null)
      .execute();
    await trx.deleteFrom('channel').where('seq', '=', seq).execute();
  });

function checked(input: unknown): ChannelFields {
  const masked: Fault[] = isObject(input) && isObject(input.config) ? maskFaults(input.type, input.config) : [];
  const parsed = validateChannel(input);
  if (parsed.ok && masked.length === 0) return parsed.value;
  // The fault about a mask is more helpful than another one for the same field, such as a wrong character.
  const byPath = new Map(masked.map((fault) => [fault.path, fault]));
  const found = parsed.ok ? [] : parsed.faults.map((fault) => byPath.get(fault.path) ?? fault);
  const told = new Set(found.map(({ path }) => path));
  throw invalid(addFaults(found, () => masked.filter(({ path }) => !told.has(path))));
}

/** The fields after a merge patch, not validated yet. A new type begins with an empty config. */
function patched(before: Pick<ChannelRow, 'key' | 'name' | 'type'> & { config: object }, patch: unknown): unknown {
  if (!isObject(patch)) return mergePatch(before, patch, {});
  const otherType = patch.type !== undefined && patch.type !== before.type;
  const stored = otherType ? {} : { ...before.config };
  const given = isObject(patch.config) && otherType ? withoutOld(before.type, patch.config) : patch.config;
  const config = isObject(given) ? unmaskConfig(before.type, given, stored) : given;
  const sent = config === undefined ? patch : { ...patch, config };
  return mergePatch({ ...before, config: stored }, sent, { config: { headers: 'map' } });
}

/** Removes fields of the old type that null deletes, because the new type may not know them. */
function withoutOld(type: ChannelType, config: object): object {
  const { shape } = channelConfigs[type];
  return Object.fromEntries(
    Object.entries(config).filter(([field, value]) => value !== null || !Object.hasOwn(shape, field)),
  );
}
