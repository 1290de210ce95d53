import type { ChalkInstance } from 'chalk';
import type { Io } from '../io.ts';
import { type ListColumn, listTable } from '../list-table.ts';
import { plain } from '../output.ts';
import type { Tested } from './test-report.ts';

/**
 * Renders outcomes of checks as a table. `timing` adds the milliseconds of each phase, and `explain` adds the steps of
 * each check. On a terminal, the table contains only the codes of failures. Without `explain`, the messages of the
 * failures follow below the table.
 */
export function renderOutcomes(
  tested: readonly Tested[],
  { timing, explain }: { timing: boolean; explain: boolean },
  io: Pick<Io, 'stdout' | 'out'>,
): string {
  if (tested.length === 0) return '';
  const blocks = [listTable(io, tested, columns(timing, io.out))];
  const failed = tested.flatMap(({ name, outcome: { error } }) =>
    error ? [`${plain(name)}: ${plain(error.message)}`] : [],
  );
  if (io.stdout.isTTY && !explain && failed.length > 0) blocks.push(failed.join('\n'));
  if (explain) blocks.push(...tested.map(steps));
  return blocks.join('\n\n');
}

const phases = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const;

const columns = (timing: boolean, paint: ChalkInstance): ListColumn<Tested>[] => [
  {
    title: 'RESULT',
    value: ({ outcome }) => outcome.verdict,
    colour: ({ outcome }, text) =>
      ({ up: paint.green, down: paint.red, internal: paint.yellow })[outcome.verdict](text),
  },
  { title: 'NAME', value: ({ name }) => name, cut: true },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'TIME', value: ({ outcome }) => milliseconds(outcome.responseTime) },
  ...(timing
    ? phases.map((phase) => ({
        title: phase === 'firstByte' ? 'FIRST BYTE' : phase.toUpperCase(),
        value: ({ outcome }: Tested) => milliseconds(outcome.timings?.[phase] ?? null),
      }))
    : []),
  {
    title: 'WHY',
    value: ({ outcome }) => (outcome.error ? `${outcome.error.code}: ${outcome.error.message}` : ''),
    short: ({ outcome }) => outcome.error?.code ?? '',
  },
];

const steps = ({ name, outcome }: Tested): string =>
  [
    plain(name),
    ...outcome.trace.map(({ at, event }) => `  ${String(Math.round(at)).padStart(6)} ms  ${plain(event)}`),
  ].join('\n');

const milliseconds = (value: number | null): string =>
  value === null ? '-' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
