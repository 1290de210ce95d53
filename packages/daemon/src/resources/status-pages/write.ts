import { type StatusPageFields, statusPagePatch, validateStatusPage, faultAt } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import { invalid, ServiceError } from '../../errors.ts';
import { storedSize } from '../../core/stored-size.ts';
import { refuseGrowth } from '../../plans/refuse-growth.ts';
import { newId } from '../../store/ids.ts';
import type { StatusPageRow, Tables } from '../../store/tables.ts';
import { findMonitors } from '../find-monitors.ts';
import type { Backend, Handler, OwnValidation } from '../handler.ts';
import { lockProject } from '../lock-project.ts';
import { mergePatch } from '../merge-patch.ts';
import { withoutReadOnly } from '../sent-back.ts';
import { refuseTakenKey } from '../taken-key.ts';
import { findRow } from '../find-row.ts';
import { claimDomain, withProofs } from './claim-domain.ts';
import { presentationOf, showStatusPage } from './read.ts';

export const createStatusPage: OwnValidation<'createStatusPage'> = {
  validatesBody: true,
  handle: async (request, backend) => {
    const fields = checked(request.body, backend);
    const { project } = request;
    const create = (proven: readonly string[]) =>
      request.create(fields, async (trx) => {
        await lockProject(trx, project);
        await refuseTakenSlug(trx, fields, null);
        await claimDomain(trx, { domain: fields.customDomain, self: null, project, proven }, backend);
        await refuseTakenKey(trx, 'status_page', request.project, { key: fields.key, self: null });
        const monitors = await findMonitors(trx, request.project, fields.monitorIds);
        const columns = columnsOf(fields);
        const bytes = storedSize(columns, monitors.length);
        const customDomains = fields.customDomain === null ? 0 : 1;
        await refuseGrowth(trx, project, backend.plans, { statusPages: 1, customDomains, bytes });
        const now = backend.deps.clock.now();
        const row = await trx
          .insertInto('status_page')
          .values({
            id: newId('pag', now),
            project_id: request.project.id,
            ...columns,
            bytes,
            ...newDomain(fields.customDomain, now),
            created_at: now,
            updated_at: now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        await setMonitors(trx, row.seq, monitors);
        return showStatusPage(trx, row, backend);
      });
    return withProofs(project, backend, create);
  },
};

export const updateStatusPage: OwnValidation<'updateStatusPage'> = {
  validatesBody: true,
  handle: (request, backend) => {
    const update = (proven: readonly string[]) =>
      backend.store.write(async (trx) => {
        await lockProject(trx, request.project);
        const before = await findRow(trx, 'status_page', request.project, request.params.statusPageId);
        const shown = await showStatusPage(trx, before, backend);
        const { monitorIds } = shown;
        const stored: StatusPageFields = {
          key: before.key,
          managedBy: before.managed_by,
          name: before.name,
          slug: before.slug,
          monitorIds,
          customDomain: before.custom_domain,
          ...presentationOf(before),
        };
        const patch = await withoutReadOnly(request.body, statusPagePatch, () => shown);
        const fields = checked(mergePatch(stored, patch, {}), backend);
        if (JSON.stringify(fields) === JSON.stringify(stored)) return showStatusPage(trx, before, backend);

        await refuseTakenSlug(trx, fields, before.seq);
        const claim = { domain: fields.customDomain, self: before.seq, project: request.project, proven };
        await claimDomain(trx, claim, backend);
        await refuseTakenKey(trx, 'status_page', request.project, { key: fields.key, self: before.seq });
        const monitors = await findMonitors(trx, request.project, fields.monitorIds);
        const columns = columnsOf(fields);
        const bytes = storedSize(columns, monitors.length);
        const customDomains = fields.customDomain !== null && before.custom_domain === null ? 1 : 0;
        await refuseGrowth(trx, request.project, backend.plans, { customDomains, bytes: bytes - before.bytes });
        const now = backend.deps.clock.now();
        const row = await trx
          .updateTable('status_page')
          .set({
            ...columns,
            bytes,
            ...(fields.customDomain !== before.custom_domain && newDomain(fields.customDomain, now)),
            updated_at: now,
          })
          .where('seq', '=', before.seq)
          .returningAll()
          .executeTakeFirstOrThrow();
        await setMonitors(trx, before.seq, monitors);
        return showStatusPage(trx, row, backend);
      });
    return withProofs(request.project, backend, update);
  },
};

export const deleteStatusPage: Handler<'deleteStatusPage'> = (request, { store }) =>
  store.write(async (trx) => {
    await lockProject(trx, request.project);
    const { seq } = await findRow(trx, 'status_page', request.project, request.params.statusPageId);
    await trx.deleteFrom('status_page').where('seq', '=', seq).execute();
  });

function checked(body: unknown, { domains }: Pick<Backend, 'domains'>): StatusPageFields {
  const parsed = validateStatusPage(body);
  if (!parsed.ok) throw invalid(parsed.faults);
  const { customDomain } = parsed.value;
  if (customDomain !== null && domains.isOwn(customDomain))
    throw invalid([faultAt('customDomain', 'own_host', { host: customDomain })]);
  return parsed.value;
}

const columnsOf = (fields: StatusPageFields) => ({
  key: fields.key,
  managed_by: fields.managedBy,
  name: fields.name,
  slug: fields.slug,
  custom_domain: fields.customDomain,
  description: fields.description,
  home_url: fields.homeUrl,
  icon_url: fields.iconUrl,
  accent_color: fields.accentColor,
  group_by: fields.groupBy,
});

/** Returns the columns for a new custom domain, which has to be looked up in DNS before the page is served there. */
const newDomain = (
  name: string | null,
  now: number,
): Pick<StatusPageRow, 'domain_status' | 'domain_error' | 'domain_check_at' | 'domain_pointed_at'> =>
  name === null
    ? { domain_status: null, domain_error: null, domain_check_at: null, domain_pointed_at: null }
    : { domain_status: 'pending', domain_error: null, domain_check_at: now, domain_pointed_at: now };

async function refuseTakenSlug(
  trx: Transaction<Tables>,
  { slug }: Pick<StatusPageFields, 'slug'>,
  self: number | null,
): Promise<void> {
  const holder = await trx.selectFrom('status_page').select('seq').where('slug', '=', slug).executeTakeFirst();
  if (holder && holder.seq !== self) throw new ServiceError('conflict', `The slug "${slug}" is taken by another page.`);
}

async function setMonitors(
  trx: Transaction<Tables>,
  page: number,
  monitors: readonly { seq: number }[],
): Promise<void> {
  await trx.deleteFrom('status_page_monitor').where('page', '=', page).execute();
  if (monitors.length === 0) return;
  await trx
    .insertInto('status_page_monitor')
    .values(monitors.map(({ seq: monitor }, position) => ({ page, monitor, position })))
    .execute();
}
