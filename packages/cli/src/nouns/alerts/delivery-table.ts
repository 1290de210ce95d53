import type { Delivery } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { type ListColumn, listTable, timeColumn } from '../../list-table.ts';

/** Renders deliveries as a table: the status of each, and the receiver's answer to the latest attempt. */
export const deliveryTable = (deliveries: readonly Delivery[], io: Io, wide = false): string =>
  listTable(io, deliveries, columns(io, Date.now()), wide);

const columns = ({ out: paint }: Io, now: number): ListColumn<Delivery>[] => [
  {
    title: 'STATUS',
    value: ({ status }) => status,
    colour: ({ status }, text) =>
      status === 'failed' ? paint.red(text) : status === 'sent' ? paint.green(text) : paint.yellow(text),
  },
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'MONITOR', value: ({ monitorName }) => monitorName, cut: true },
  { title: 'CHANNEL', value: ({ channelName }) => channelName, cut: true },
  timeColumn('CREATED', { read: ({ createdAt }) => createdAt, now }),
  { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts.length) },
  timeColumn('NEXT', { read: ({ nextAttemptAt }) => nextAttemptAt, now }),
  { title: 'ANSWER', value: answerOf, cut: true },
  { title: 'ID', value: ({ id }) => id, wide: true },
];

/** Returns the beginning of the receiver's answer. With `-o json`, the user gets the whole answer. */
function answerOf({ attempts }: Delivery): string {
  const maxCharacters = 60;
  const text = attempts.at(-1)?.text || '-';
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}
