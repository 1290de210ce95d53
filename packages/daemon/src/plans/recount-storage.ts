import { memberBytes, rowBytes } from '@uptime/sdk/contract';
import { type RawBuilder, sql } from 'kysely';
import { maxPieceRows, type UpgradeStep } from '../store/upgrade-step.ts';

/**
 * For each table: the text columns that `storedSize` counts, and the tables that list a row's members, such as the
 * monitors of a rule.
 */
const counted = {
  monitor: { texts: ['type', 'key', 'name', 'config'], members: [] },
  channel: { texts: ['key', 'name', 'type', 'config'], members: [] },
  rule: {
    texts: ['key', 'name', 'trigger'],
    members: [
      ['rule_monitor', 'rule'],
      ['rule_channel', 'rule'],
    ],
  },
  status_page: {
    texts: ['key', 'name', 'slug', 'custom_domain', 'description', 'home_url', 'icon_url', 'accent_color', 'group_by'],
    members: [['status_page_monitor', 'page']],
  },
} satisfies Record<string, { texts: string[]; members: [table: string, column: string][] }>;

type Counted = keyof typeof counted;

/** Upgrade steps that compute the sizes of stored rows again, because an earlier version left out some columns. */
export const recountStorage: UpgradeStep[] = (Object.keys(counted) as Counted[]).map((table) => ({
  name: `count ${table}`,
  async run(trx, after) {
    const piece = await trx
      .selectFrom(table)
      .select('seq')
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(maxPieceRows)
      .execute();
    const last = piece.at(-1)?.seq;
    if (last === undefined) return null;
    await sql`update ${sql.table(table)} set bytes = ${sizeOf(table)}
      where seq > ${after} and seq <= ${last}`.execute(trx);
    return last;
  },
}));

function sizeOf(table: Counted): RawBuilder<number> {
  const { texts, members } = counted[table];
  const sizes = texts.map((text) => sql`coalesce(octet_length(${sql.ref(text)}), 0)`);
  const counts = members.map(
    ([of, column]) =>
      sql`${sql.lit(memberBytes)} * (select count(*) from ${sql.table(of)}
        where ${sql.ref(`${of}.${column}`)} = ${sql.ref(`${table}.seq`)})`,
  );
  return sql`${sql.lit(rowBytes)} + ${sql.join([...sizes, ...counts], sql` + `)}`;
}
