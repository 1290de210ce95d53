import {
  faultAt,
  isPassive,
  monitorMaps,
  monitorPatch,
  type NormalMonitor,
  validateMonitor,
  type Validated,
} from '@uptime/sdk/contract';
import { invalid } from '../../errors.ts';
import { limitsAccounts, lockAccount, lockedPlanIfLimited, selfHosted } from '../../plans/account-plan.ts';
import { refitAccount } from '../../plans/fit-account.ts';
import { refuseBeyondPlan } from '../../plans/refuse-beyond-plan.ts';
import { refuseGrowth } from '../../plans/refuse-growth.ts';
import { changeMonitor, initMonitor, removeMonitors } from '../../lifecycle/monitor-life.ts';
import { storedSize, textSize } from '../../core/stored-size.ts';
import { giveBackMembers } from '../../lifecycle/give-back-members.ts';
import { newId } from '../../store/ids.ts';
import type { Handler, OwnValidation } from '../handler.ts';
import { findRow } from '../find-row.ts';
import { isoTime } from '../iso-time.ts';
import { lockProject } from '../lock-project.ts';
import { isObject, mergePatch } from '../merge-patch.ts';
import { newPingToken } from '../secrets.ts';
import { refuseTakenKey } from '../taken-key.ts';
import { withoutReadOnly } from '../sent-back.ts';
import { showMonitor, showWithRegions } from './read.ts';
import { fieldColumns } from '../../stored-monitors/stored-monitor.ts';
import { keptSecrets } from './kept-secrets.ts';

export const createMonitor: OwnValidation<'createMonitor'> = {
  validatesBody: true,
  handle: async (request, backend) => {
    const fields = checked(validateMonitor(request.body));
    return request.create(fields, async (trx) => {
      const { user_id: user } = request.project;
      const rules = backend.plans;
      const plan = await lockedPlanIfLimited(trx, user, rules);
      await lockProject(trx, request.project);
      await refuseTakenKey(trx, 'monitor', request.project, { key: fields.key, self: null });
      if (plan) await refuseBeyondPlan(trx, { user, plan, rules }, { fields, before: null, resumes: false });
      const now = backend.deps.clock.now();
      const id = newId('mon', now);
      const columns = backend.vault.seal(id, fields);
      const bytes = storedSize(columns);
      await refuseGrowth(trx, request.project, rules, { bytes });
      const token = isPassive(fields) ? newPingToken() : null;
      const { seq } = await trx
        .insertInto('monitor')
        .values({
          id,
          project_id: request.project.id,
          ...columns,
          bytes,
          token,
          region_limit: rules.charged ? (plan ?? selfHosted).regions : null,
          generation: 0,
          created_at: now,
          updated_at: now,
        })
        .returning('seq')
        .executeTakeFirstOrThrow();
      await initMonitor(trx, { seq, fields, now });
      return showMonitor(trx, request.project, id, backend);
    });
  },
};

export const updateMonitor: OwnValidation<'updateMonitor'> = {
  validatesBody: true,
  handle: (request, backend) =>
    backend.store.write(async (trx) => {
      const { user_id: user } = request.project;
      const rules = backend.plans;
      const plan = await lockedPlanIfLimited(trx, user, rules);
      await lockProject(trx, request.project);
      const row = await findRow(trx, 'monitor', request.project, request.params.monitorId);
      const { fields: before, unreadable } = backend.vault.open(row);
      const patch = await withoutReadOnly(request.body, monitorPatch, () =>
        showWithRegions(trx, request.project, row.id, backend),
      );
      const kept = keptSecrets(unreadable, {
        before,
        patch,
        isRead: isObject(request.body) && request.body.id === row.id,
      });
      const after = checked(patched(before, patch));
      const planPaused = row.plan_paused === 1;
      if (plan) {
        const { paused, pausedReason } = request.body as { paused?: unknown; pausedReason?: unknown };
        // If the body has `pausedReason`, it is a whole response that the client sent back. Such a body does not resume
        // the monitor.
        const resumes = planPaused && paused === false && pausedReason === undefined;
        await refuseBeyondPlan(trx, { user, plan, rules }, { fields: after, before, resumes });
      }
      const secretsReplaced = Object.keys(kept).length < Object.keys(unreadable).length;
      // If the patch changes nothing, nothing is written, so that `updatedAt` stays the same.
      if (secretsReplaced || JSON.stringify(fieldColumns(after)) !== JSON.stringify(fieldColumns(before))) {
        await refuseTakenKey(trx, 'monitor', request.project, { key: after.key, self: row.seq });
        const columns = backend.vault.seal(row.id, after, kept);
        const bytes = storedSize(columns);
        await refuseGrowth(trx, request.project, rules, { bytes: textSize(after) - textSize(before) });
        const now = backend.deps.clock.now();
        await trx
          .updateTable('monitor')
          .set({ ...columns, bytes, updated_at: now })
          .where('seq', '=', row.seq)
          .execute();
        await changeMonitor(trx, {
          seq: row.seq,
          before: { ...before, paused: before.paused || planPaused },
          after: { ...after, paused: after.paused || planPaused },
          now,
        });
        // After the change, the monitor may fit into the plan, or leave room for other monitors.
        await refitAccount(trx, user, { rules: backend.plans, now });
      }
      return showMonitor(trx, request.project, row.id, backend);
    }),
};

export const deleteMonitor: Handler<'deleteMonitor'> = (request, backend) =>
  backend.store.write(async (trx) => {
    const { user_id: user } = request.project;
    if (limitsAccounts(backend.plans)) await lockAccount(trx, user);
    await lockProject(trx, request.project);
    const now = backend.deps.clock.now();
    const row = await findRow(trx, 'monitor', request.project, request.params.monitorId);
    await giveBackMembers(trx, row.seq);
    await removeMonitors(trx, [row.seq], now);
    await refitAccount(trx, user, { rules: backend.plans, now });
  });

export const checkMonitor: Handler<'checkMonitor'> = async (request, backend) => {
  const row = await findRow(backend.store.db, 'monitor', request.project, request.params.monitorId);
  const result = await backend.checkNow(row.seq);
  return { ...result, checkedAt: isoTime(result.checkedAt) };
};

function checked(parsed: Validated<NormalMonitor>): NormalMonitor {
  if (!parsed.ok) throw invalid(parsed.faults);
  return parsed.value;
}

const mergedMaps = Object.fromEntries(monitorMaps.map((field) => [field, 'map' as const]));

/**
 * Returns the fields after a merge patch, validated for the stored type. A change of the type is reported as a separate
 * fault.
 */
function patched(stored: NormalMonitor, patch: unknown): Validated<NormalMonitor> {
  const { type } = stored;
  const merged = mergePatch(stored, patch, mergedMaps);
  const parsed = validateMonitor({ ...merged, type });
  if (!isObject(patch) || patch.type === undefined || patch.type === type) return parsed;
  const fault = faultAt('type', 'fixed_type', { type });
  return { ok: false, faults: parsed.ok ? [fault] : [fault, ...parsed.faults] };
}
