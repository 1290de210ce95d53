import type { Incident } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { phaseOf } from '../../kinds/phase.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';
import { shownCounts } from '../../nouns/monitors/count-statuses.ts';
import { statusColour } from '../../nouns/monitors/status-colour.ts';
import { plain } from '../../output.ts';
import { relative } from '../../times.ts';
import type { Down, Expiry, Overview } from './overview.ts';

interface Section {
  title: string;
  count: number;
  /** Renders the first rows, at most `maxRows`, without titles. */
  render: (maxRows: number) => string;
}

/**
 * Renders an overview: a line of counts, and a section for each kind of thing that needs attention. On a terminal, the
 * sections leave out rows, so that the overview fits on the screen. Elsewhere, all rows are shown.
 */
export function renderOverview(overview: Overview, io: Pick<Io, 'stdout' | 'out'>, now: number): string {
  const sections = sectionsOf(overview, io, now).filter(({ count }) => count > 0);
  const head = headline(overview, io);
  const room = io.stdout.isTTY && io.stdout.rows ? io.stdout.rows - 2 : Infinity;
  const shares = shareRows(
    sections.map(({ count }) => count),
    room - 2 * sections.length,
  );
  const blocks = sections.map(({ title, count, render }, i) => {
    const maxRows = shares[i]!;
    const more = count > maxRows ? `\n  and ${count - maxRows} more` : '';
    return `${io.out.bold(title)}\n${indent(render(maxRows))}${more}`;
  });
  return [head, ...blocks].join('\n\n');
}

function headline({ counts }: Overview, { out }: Pick<Io, 'out'>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = shownCounts(counts).map(([status, count]) => {
    const text = `${count} ${plain(status)}`;
    return count === 0 ? text : statusColour(out, status)(text);
  });
  return `${total} ${total === 1 ? 'monitor' : 'monitors'}: ${parts.join(', ')}`;
}

function sectionsOf(overview: Overview, io: Pick<Io, 'stdout' | 'out'>, now: number): Section[] {
  const rows = <T>(title: string, all: readonly T[], columns: readonly ListColumn<T>[]): Section => ({
    title,
    count: all.length,
    render: (maxRows) => listTable(narrower(io), all.slice(0, maxRows), columns).split('\n').slice(1).join('\n'),
  });
  return [
    rows<Down>('Down', overview.down, [
      { title: 'NAME', value: ({ name }) => name, colour: (_, text) => io.out.red(text), cut: true },
      timeColumn('SINCE', { read: ({ since }) => since, now }),
      { title: 'WHY', value: ({ reason }) => reason ?? 'the server gives no reason', cut: true },
      { title: 'WINDOW', value: ({ inMaintenance }) => (inMaintenance ? 'in maintenance' : '') },
    ]),
    rows<Incident>('Open incidents', overview.incidents, [
      { title: 'TITLE', value: ({ title }) => title, cut: true },
      { title: 'STATUS', value: ({ status }) => status },
      timeColumn('STARTED', { read: ({ startedAt }) => startedAt, now }),
    ]),
    rows<Incident>('Maintenance', overview.windows, [
      { title: 'TITLE', value: ({ title }) => title, cut: true },
      { title: 'STATE', value: (window) => phaseOf({ ...window }, now) },
      {
        title: 'WHEN',
        value: ({ scheduledStart, scheduledEnd }) => `${scheduledStart} to ${scheduledEnd}`,
        short: (window) =>
          phaseOf({ ...window }, now) === 'ahead'
            ? `begins ${relative(window.scheduledStart ?? '', now)}`
            : `ends ${relative(window.scheduledEnd ?? '', now)}`,
      },
    ]),
    rows<Expiry>('Certificates and domains', overview.expiries, [
      { title: 'MONITOR', value: ({ monitor }) => monitor, cut: true },
      { title: 'WHAT', value: ({ what }) => what },
      { title: 'LEFT', value: leftText },
      { title: 'OF', value: ({ of, error }) => error ?? of, cut: true },
    ]),
  ];
}

const leftText = ({ daysRemaining }: Expiry): string =>
  daysRemaining === null ? '-' : daysRemaining < 0 ? 'expired' : `${daysRemaining} d left`;

/** Returns the same terminal, but two columns narrower, because sections are indented by two columns. */
const narrower = ({ stdout: { isTTY, columns } }: Pick<Io, 'stdout'>) => ({
  stdout: { isTTY, columns: columns && columns - 2 },
});

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

/**
 * Divides lines among sections. Gives one line to each section that needs more, again and again, until no lines are
 * left. Each section gets at least one line.
 */
export function shareRows(needed: readonly number[], room: number): number[] {
  const total = needed.reduce((sum, one) => sum + one, 0);
  if (total <= room) return [...needed];
  const shares = needed.map(() => 0);
  // A section that leaves out rows needs one more line, which says how many.
  let left = Math.max(room - needed.length, needed.length);
  while (left > 0) {
    for (const [i, need] of needed.entries()) {
      if (left > 0 && shares[i]! < need) {
        shares[i]!++;
        left--;
      }
    }
  }
  return shares;
}
