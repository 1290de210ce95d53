import {
  allEndpoints,
  maxBodyBytes,
  maxMetricsBytes,
  megabyte,
  memberBytes,
  maxHeaderCharacters,
  maxAlertsPerMonitor,
  maxHeaders,
  maxIncidentUpdates,
  maxLabels,
  noLimit,
  type PlanLimit,
  planLimits,
  rowBytes,
} from '@uptime/sdk/contract';
import { maxDecodedBytes } from '../packages/daemon/src/checks/body-encodings.ts';
import { maxCheckBodyBytes } from '../packages/daemon/src/checks/byte-budget.ts';
import { maxRedirects } from '../packages/daemon/src/checks/http-redirects.ts';
import { messageSettings } from '../packages/daemon/src/config/message-settings.ts';
import { settings } from '../packages/daemon/src/config/settings.ts';
import { shareDescriptors } from '../packages/daemon/src/core/descriptor-shares.ts';
import { refusedFromMs } from '../packages/daemon/src/core/overload.ts';
import { dayMs, hourMs } from '../packages/daemon/src/core/uptime.ts';
import { orderLimits } from '../packages/daemon/src/custom-domains/order-limits.ts';
import { maxPerHour } from '../packages/daemon/src/custom-domains/order-attempts.ts';
import { maxRequestedAtOnce } from '../packages/daemon/src/engine/request-limit.ts';
import { deliveriesKeptMs } from '../packages/daemon/src/engine/retention.ts';
import { maxBodyBytesHeld, maxBodyBytesHeldPerCaller } from '../packages/daemon/src/http/body-budget.ts';
import { unreadTimeoutMs, clientLimits } from '../packages/daemon/src/http/client-limits.ts';
import { answersKeptMs } from '../packages/daemon/src/http/idempotency.ts';
import { maxJsonDepth } from '../packages/daemon/src/http/json-fault.ts';
import { maxNameLength, maxNames, maxValues } from '../packages/daemon/src/http/json-size.ts';
import { maxAttemptsAMinute } from '../packages/daemon/src/http/rate-limit.ts';
import { maxCodesPerMailbox } from '../packages/daemon/src/alerting/confirmations/count-code.ts';
import { maxPingsWithMetrics } from '../packages/daemon/src/recording/forget-metrics.ts';
import { maxKeptMs } from '../packages/daemon/src/recording/forget-past.ts';

const number = (value: number) => value.toLocaleString('en-US');
const size = (bytes: number) => (bytes >= megabyte ? `${bytes / megabyte} MiB` : `${bytes / 1024} KiB`);
const seconds = (ms: number) => `${ms / 1000} s`;
const { connections, checks, deliveries } = shareDescriptors(Infinity);

/**
 * Limits that no setting changes, each imported from the code that enforces it. A row has the name of the limit, its
 * value, and what happens beyond it.
 */
const fixed: readonly (readonly [what: string, value: string, beyond: string])[] = [
  ['Body of a request', size(maxBodyBytes), '413'],
  ['Metrics of a ping', size(maxMetricsBytes), '413'],
  ['Fields of a body, over all its objects', number(maxNames), '400'],
  ['Values of a body', number(maxValues), '400'],
  ['Name of a field, in bytes', number(maxNameLength), '400'],
  ['Levels of nesting in a body', number(maxJsonDepth), '400'],
  ['Bodies that are being read, in total', size(maxBodyBytesHeld), '503 with `Retry-After`'],
  ['Bodies that are being read, for each caller', size(maxBodyBytesHeldPerCaller), '503 with `Retry-After`'],
  ['Headers of a request', size(clientLimits.maxHeaderSize), '431'],
  ['Time for the headers of a request', seconds(clientLimits.headersTimeout), '408, connection closed'],
  ['Time for a whole request', seconds(clientLimits.requestTimeout), '408, connection closed'],
  ['Time in which a client reads nothing of an answer', seconds(unreadTimeoutMs), 'connection closed'],
  [
    'Connections of each listener',
    `${number(connections)}, or fewer if open files are limited`,
    'an idle connection of the busiest network is closed',
  ],
  ['Headers of a monitor or channel', `${maxHeaders}, of ${number(maxHeaderCharacters)} characters in total`, '400'],
  ['Labels of a monitor', number(maxLabels), '400'],
  ['Alerts that an outage of a monitor opens, one for each rule and channel', number(maxAlertsPerMonitor), '409'],
  ['Updates of an incident', `${number(maxIncidentUpdates)}; such an incident can still be resolved`, '409'],
  [
    'Sign-ins, sign-ups, changes of a password, channel tests, and checks of a custom domain',
    `${maxAttemptsAMinute} a minute, by address and by account (\`UPTIME_RATE_LIMIT\`)`,
    '429 with `Retry-After`',
  ],
  [
    'Checks on request, for each project',
    `${maxRequestedAtOnce} at once, ${allEndpoints.checkMonitor.maxPerMinute} a minute (\`UPTIME_RATE_LIMIT\`)`,
    '429 with `Retry-After`',
  ],
  [
    'Redeliveries',
    `${maxAttemptsAMinute} a minute of one message, ${allEndpoints.redeliver.maxPerMinute} of one project`,
    '429 with `Retry-After`',
  ],
  [
    'Confirmation codes',
    `${maxCodesPerMailbox} in 24 hours to one mailbox or phone`,
    '429, or an error at the channel',
  ],
  [
    'Event loop delay',
    `${refusedFromMs.page} ms for pages, ${refusedFromMs.read} ms for reads, ${refusedFromMs.write} ms for writes`,
    '503 with `Retry-After`',
  ],
  ['Checks under way', `${number(checks)}, or fewer if open files are limited; projects share them`, 'the check waits'],
  [
    'Deliveries under way',
    `${number(deliveries)}, or fewer if open files are limited; projects share them`,
    'the message waits',
  ],
  ['Body of a response that a check reads', size(maxDecodedBytes), 'the check uses only the part that it read'],
  ['Memory of response bodies', `${size(maxCheckBodyBytes)}; projects share it`, 'the check waits'],
  ['Redirects of a check', number(maxRedirects), 'the check fails'],
  ['Certificate orders of a name', `${maxPerHour} an hour`, 'the order waits'],
  ['Certificate orders of an account', `${orderLimits.account.maxOrders} an hour`, 'the order waits'],
  ['Certificate orders of a registrable domain', `${orderLimits.domain.maxOrders} a week`, 'the order waits'],
  ['Certificate orders in total', `${orderLimits.all.maxOrders} in 3 hours`, 'the order waits'],
];

/** The settings that limit messages at the operator's cost. */
const messageRows = Object.values(messageSettings)
  .filter(({ env }) => env.endsWith('_PER_HOUR') || env.endsWith('_PER_DAY'))
  .map(({ env, docs, default: usual, publicDefault }) => [
    `\`${env}\``,
    docs.replace(/; off for no limit\.$/, '.'),
    String(usual),
    String(publicDefault),
  ]);

/** The data that grows over time, and how long each kind is kept. */
const kept: readonly (readonly [what: string, howLong: string])[] = [
  [
    'Results of checks, pings and their metrics',
    `${settings.rawRetentionDays.default} days (\`${settings.rawRetentionDays.env}\`)`,
  ],
  [
    'Pings with metrics',
    `as long as other pings, but only the newest ${number(maxPingsWithMetrics)} of each heartbeat; in public mode, only the newest ${number(Number(settings.projectMetrics.publicDefault))} of a project, with equal shares for its jobs (\`${settings.projectMetrics.env}\`)`,
  ],
  ['Timings of passed checks', '1 day'],
  ['Hourly averages, and alerts', `${maxKeptMs / dayMs} days`],
  ['Messages of alerts, with their attempts', `${deliveriesKeptMs / dayMs} days`],
  ['Answers to an `Idempotency-Key`', `${answersKeptMs / hourMs} hours`],
];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const planRows = (Object.entries(planLimits) as [string, PlanLimit][]).map(([name, limit]) => [
  `\`${name}\``,
  limit.docs,
  limit.default === null ? 'must be given' : number(limit.default),
  number(limit.publicDefault),
]);

/** Returns docs/limits.md: every limit, imported from the code that enforces it. */
export const limitsDocs =
  (): string => `<!-- Generated by \`npm run generate\` from packages/sdk/src/contract/plan-limits.ts and scripts/generate-limits.ts. Do not edit. -->

# Limits

By default, a server has no limits on what you create. A plan can set limits, and \`UPTIME_MODE=public\` sets limits by default.

## Limits of a plan

An admin sets these limits with \`POST\` and \`PATCH /api/billing/plans\` ([billing.md](billing.md)); ${number(noLimit)} means no limit. A
plan that does not set a limit has the default. In public mode, accounts without a plan have the limits of the last column; accounts of
the server's admins have no limits.

${table(
  ['field of the plan', 'meaning', 'default of a plan', 'in public mode'],
  [
    ...planRows,
    ['`checkInterval`', 'Shortest interval of a monitor that is checked, in seconds.', 'must be given', '1'],
    ['`regions`', 'Regions that a monitor may name.', 'must be given', '1,000'],
  ],
)}

- A write that would exceed a limit gets 402 \`plan_limit_exceeded\`. Its \`detail\` names the limit, its value and how much is used.
  Parallel writes cannot exceed a limit together.
- Deleted objects no longer count.
- If a plan becomes smaller than what is used, nothing is deleted. Reads, deletes, and edits that add nothing still work. Requests that add something are refused.
  Monitors beyond \`monitors\` are paused ([billing.md](billing.md)).
- An open incident can always be resolved.
- A megabyte is ${number(megabyte)} bytes. Each monitor, channel, rule, page, incident and update counts as the size of its texts plus
  ${rowBytes} bytes, and ${memberBytes} bytes for each monitor or channel that it names.
- With an \`Idempotency-Key\`, the server keeps the answer for ${answersKeptMs / hourMs} hours, without the parts that the request
  contains. The stored part of the answer counts as storage.

\`GET /api/usage\` and \`uptime usage\` show how much is used. \`uptime doctor\` warns above 80 %. \`uptime apply\` shows the use together
with its changes. If all changes together would exceed the plan of the account, apply changes nothing.

## Fixed limits

${table(['limited', 'limit', 'beyond it'], fixed)}

The length of each field is in the OpenAPI document (\`/api/openapi.json\`).

## Messages

Mail, SMS and calls go through gateways of the operator. Each limit is a setting, and \`off\` means no limit. An alarm beyond a limit
waits; [channels.md](channels.md) says what happens to other messages.

${table(['setting', 'meaning', 'default', 'in public mode'], messageRows)}

## Retention

The results of checks and pings do not count as storage. The daemon deletes them after a time:

${table(['data', 'kept for'], kept)}

A result takes at most 22 bytes. The result of a failed check takes up to 400 bytes more, for its message and timings. The plan's \`monitors\` and
\`checkInterval\` bound the number of results. A ping takes about 50 bytes, and up to ${size(maxMetricsBytes)} more with metrics. Nothing
limits how often a job may ping or report failures.
`;
