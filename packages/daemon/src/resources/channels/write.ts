import {
  addFaults,
  channelConfigs,
  channelMaps,
  channelPatch,
  type ChannelFields,
  type ChannelType,
  type Fault,
  memberBytes,
  validateChannel,
} from '@uptime/sdk/contract';
import { sql } from 'kysely';
import { invalid, ServiceError } from '../../errors.ts';
import { storedSize } from '../../core/stored-size.ts';
import { giveUpDelivery } from '../../alerting/deliveries/finish-delivery.ts';
import { reviveChannel } from '../../alerting/deliveries/revive-channel.ts';
import { refuseGrowth } from '../../plans/refuse-growth.ts';
import { unreadable } from '../../alerting/notifier.ts';
import { newId } from '../../store/ids.ts';
import type { AnswerOf, Backend, Handler, OwnValidation } from '../handler.ts';
import { lockProject } from '../lock-project.ts';
import { isObject, mergePatch } from '../merge-patch.ts';
import { withoutReadOnly } from '../sent-back.ts';
import { refuseTakenKey } from '../taken-key.ts';
import { destinationFaults } from './destination-faults.ts';
import { maskFaults, unmaskConfig } from './mask.ts';
import { findRow } from '../find-row.ts';
import { renderChannel } from './read.ts';
import { type CodeToSend, sendCode } from './send-code.ts';
import { settleAddress } from './settle-address.ts';

export const createChannel: OwnValidation<'createChannel'> = {
  validatesBody: true,
  handle: async (request, backend) => {
    const { notifier, deps, messageRules, plans } = backend;
    const { config, ...fields } = checked(request.body);
    const made: { code: CodeToSend | null; isNew: boolean } = { code: null, isNew: false };
    const shown = await request.create({ ...fields, config }, async (trx) => {
      // The store may repeat the transaction. So the code that an earlier run made is forgotten.
      made.code = null;
      made.isNew = true;
      await lockProject(trx, request.project);
      await refuseTakenKey(trx, 'channel', request.project, { key: fields.key, self: null });
      const now = deps.clock.now();
      const id = newId('chn', now);
      const columns = { ...columnsOf(fields), config: notifier.seal(id, config) };
      const bytes = storedSize(columns);
      await refuseGrowth(trx, request.project, plans, { channels: 1, bytes });
      const row = await trx
        .insertInto('channel')
        .values({
          id,
          project_id: request.project.id,
          ...columns,
          bytes,
          last_sent_at: null,
          last_error: null,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const address = messageRules.addresses.of(fields.type, config);
      const about = { row, address, before: null, project: request.project, now };
      const settled = await settleAddress(trx, messageRules, about);
      made.code = settled.code;
      return renderChannel(settled.row, backend);
    });
    if (made.code !== null) return sendCode(backend, made.code);
    return made.isNew ? shown : withCodeError(shown, backend);
  },
};

/**
 * If the code could not be sent, adds the reason to the answer of a repeated create. The stored answer lacks this
 * reason, because it was stored before the code was sent.
 */
async function withCodeError(shown: AnswerOf<'createChannel'>, { store }: Backend): Promise<AnswerOf<'createChannel'>> {
  if (shown.confirmedAt !== null) return shown;
  const row = await store.db
    .selectFrom('channel')
    .select('last_error')
    .where('id', '=', shown.id)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return { ...shown, lastError: row?.last_error ?? null };
}

export const updateChannel: OwnValidation<'updateChannel'> = {
  validatesBody: true,
  handle: async (request, backend) => {
    const { store, notifier, deps, messageRules, plans } = backend;
    const made: { code: CodeToSend | null } = { code: null };
    const shown = await store.write(async (trx) => {
      // The store may repeat the transaction. So the code that an earlier run made is forgotten.
      made.code = null;
      await lockProject(trx, request.project);
      const row = await findRow(trx, 'channel', request.project, request.params.channelId);
      const stored = notifier.open(row);
      // The stored config cannot be decrypted. Without this error, the validation would report every required field as
      // missing, although a patch may leave fields out.
      if (stored === null && isObject(request.body) && request.body.config === undefined)
        throw new ServiceError('conflict', unreadable);
      const before = { key: row.key, managedBy: row.managed_by, name: row.name, type: row.type, config: stored ?? {} };
      const patch = await withoutReadOnly(request.body, channelPatch, () => renderChannel(row, backend));
      const { config, ...fields } = checked(patched(before, patch));
      if (stored !== null && fields.type === row.type) {
        const sent = isObject(patch) ? patch.config : undefined;
        const faults = destinationFaults(row.type, { stored: { ...stored }, config: { ...config }, sent });
        if (faults.length > 0) throw invalid(faults);
      }
      const now = deps.clock.now();
      const newConfig = stored === null || JSON.stringify(config) !== JSON.stringify(stored);
      // If the patch changes nothing, nothing is written, so that `updatedAt` stays the same.
      if (!newConfig && JSON.stringify({ ...before, ...fields }) === JSON.stringify(before))
        return renderChannel(row, backend);
      await refuseTakenKey(trx, 'channel', request.project, { key: fields.key, self: row.seq });
      const columns = { ...columnsOf(fields), config: newConfig ? notifier.seal(row.id, config) : row.config };
      const bytes = storedSize(columns);
      await refuseGrowth(trx, request.project, plans, { bytes: bytes - row.bytes });
      const changed = await trx
        .updateTable('channel')
        .set({
          ...columns,
          bytes,
          ...(newConfig && { last_error: null, wait_until: 0, limits: 0, held_why: null }),
          updated_at: now,
        })
        .where('seq', '=', row.seq)
        .returningAll()
        .executeTakeFirstOrThrow();
      const address = messageRules.addresses.of(fields.type, config);
      const sentTo = stored && (messageRules.addresses.of(row.type, stored)?.address ?? null);
      const about = { row: changed, address, before: sentTo, project: request.project, now };
      const settled = await settleAddress(trx, messageRules, about);
      made.code = settled.code;
      if (newConfig) await reviveChannel(trx, row.seq, { at: now, fresh: true });
      return renderChannel(settled.row, backend);
    });
    return made.code === null ? shown : sendCode(backend, made.code);
  },
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
    await trx
      .updateTable('rule')
      .set((rule) => ({ bytes: rule('bytes', '-', memberBytes) }))
      .where('seq', 'in', trx.selectFrom('rule_channel').select('rule').where('channel', '=', seq))
      .execute();
    await trx.deleteFrom('channel').where('seq', '=', seq).execute();
  });

const columnsOf = ({ key, managedBy, name, type }: Omit<ChannelFields, 'config'>) => ({
  key,
  managed_by: managedBy,
  name,
  type,
});

function checked(input: unknown): ChannelFields {
  const masked: Fault[] = isObject(input) && isObject(input.config) ? maskFaults(input.type, input.config) : [];
  const parsed = validateChannel(input);
  if (parsed.ok && masked.length === 0) return parsed.value;
  // For a field that contains a mask, the fault about the mask replaces other faults, such as a wrong character,
  // because it is more helpful.
  const byPath = new Map(masked.map((fault) => [fault.path, fault]));
  const found = parsed.ok ? [] : parsed.faults.map((fault) => byPath.get(fault.path) ?? fault);
  const faultyPaths = new Set(found.map(({ path }) => path));
  throw invalid(addFaults(found, () => masked.filter(({ path }) => !faultyPaths.has(path))));
}

/**
 * Returns the fields after a merge patch, not validated yet. If the type changes, the patch is merged into an empty
 * config.
 */
function patched(before: Omit<ChannelFields, 'config'> & { config: object }, patch: unknown): unknown {
  if (!isObject(patch)) return mergePatch(before, patch, {});
  const otherType = patch.type !== undefined && patch.type !== before.type;
  const stored = otherType ? {} : { ...before.config };
  const given = isObject(patch.config) && otherType ? withoutOld(before.type, patch.config) : patch.config;
  const config = isObject(given) ? unmaskConfig(before.type, given, stored) : given;
  const sent = config === undefined ? patch : { ...patch, config };
  return mergePatch({ ...before, config: stored }, sent, {
    config: Object.fromEntries(channelMaps.map((field) => [field, 'map'])),
  });
}

/** Removes the old type's fields from a patch if they are null, because the new type may not have these fields. */
function withoutOld(type: ChannelType, config: object): object {
  const { shape } = channelConfigs[type];
  return Object.fromEntries(
    Object.entries(config).filter(([field, value]) => value !== null || !Object.hasOwn(shape, field)),
  );
}
