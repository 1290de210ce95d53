import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { publicId } from '../public-id.ts';

const chunk = 1000;

/**
 * Adds columns for the appearance of status pages and for public addresses of incidents, and indexes for reading a few
 * of many incidents.
 */
export const publicPages =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    for (const column of ['description', 'home_url', 'icon_url', 'accent_color', 'group_by'])
      await db.schema.alterTable('status_page').addColumn(column, type.text).execute();

    await db.schema.alterTable('incident').addColumn('public_id', type.text).execute();
    const incidents = db as Kysely<{ incident: { seq: number; id: string; public_id: string } }>;
    for (let after = 0; ;) {
      const rows = await incidents
        .selectFrom('incident')
        .select(['seq', 'id'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(chunk)
        .execute();
      for (const { seq, id } of rows)
        await incidents
          .updateTable('incident')
          .set({ public_id: publicId(id) })
          .where('seq', '=', seq)
          .execute();
      const last = rows.at(-1);
      if (!last) break;
      after = last.seq;
    }
    const index = (name: string) => db.schema.createIndex(`incident_${name}`).on('incident');
    await index('public_id').unique().column('public_id').execute();
    await index('started_at').columns(['project_id', 'started_at', 'seq']).execute();
    await index('resolved_at').columns(['project_id', 'resolved_at']).execute();
    await index('open')
      .columns(['project_id', 'started_at', 'seq'])
      .where(sql.ref('resolved_at'), 'is', null)
      .execute();
  };
