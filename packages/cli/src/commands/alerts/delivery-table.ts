import type { Delivery } from '@uptime/sdk';
import type { ChalkInstance } from 'chalk';
import { table } from '../../output.ts';

/** Deliveries for a person: what became of each, and what its receiver said at the latest attempt. */
export const deliveryTable = (deliveries: readonly Delivery[], paint: ChalkInstance): string =>
  table(deliveries, [
    {
      title: 'STATUS',
      value: ({ status }) => status,
      colour: ({ status }, text) =>
        status === 'failed' ? paint.red(text) : status === 'sent' ? paint.green(text) : paint.yellow(text),
    },
    { title: 'WHAT', value: ({ kind }) => kind },
    { title: 'MONITOR', value: ({ monitorName }) => monitorName },
    { title: 'CHANNEL', value: ({ channelName }) => channelName },
    { title: 'CREATED', value: ({ createdAt }) => createdAt },
    { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts.length) },
    { title: 'NEXT', value: ({ nextAttemptAt }) => nextAttemptAt ?? '-' },
    { title: 'SAID', value: said },
    { title: 'ID', value: ({ id }) => id },
  ]);

/** The beginning of what the receiver said; all of it stands in the JSON. */
function said({ attempts }: Delivery): string {
  const most = 60;
  const text = attempts.at(-1)?.text || '-';
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
