import * as z from 'zod';
import {
  channelConfigs,
  commonFields,
  manifest,
  monitorInputs,
  type MonitorType,
  monitorTypes,
} from '@uptime/sdk/contract';

/** Returns the help on the manifest. The contract supplies every field of every list and type. */
export function manifestTopic(): string {
  const [first] = monitorTypes;
  const shared = Object.keys(commonFields(0));
  return [
    opening,
    'monitors: every monitor',
    ...fieldLines(monitorInputs[first].shape, (field) => shared.includes(field)),
    ...monitorTypes.flatMap((type) => [
      '',
      `monitors: type: ${type}`,
      ...fieldLines(monitorInputs[type].shape, (field) => differs(field, type, shared)),
    ]),
    '',
    'channels: key, name, type, and a config of the type',
    ...Object.entries(channelConfigs).flatMap(([type, { shape }]) => configLines(type, shape)),
    ...(['alertRules', 'statusPages', 'maintenance'] as const).flatMap((list) => [
      '',
      `${list}:`,
      ...fieldLines(manifest.shape[list].unwrap().element.shape, () => true),
    ]),
  ].join('\n');
}

const opening = `A manifest is YAML with lists \`monitors\`, \`channels\`, \`alertRules\`, \`statusPages\` and \`maintenance\`, in one file or in several:

  monitors:
    - key: shop                 # a stable name that you choose
      name: Shop
      type: http
      url: \${SHOP_URL:-https://shop.example.com}
  channels:
    - { key: ops, name: Ops, type: slack, config: { webhookUrl: "\${SLACK_WEBHOOK_URL}" } }
  alertRules:
    - { name: Shop is down, monitors: [shop], channels: [ops], consecutiveFailures: 2 }
  statusPages:
    - { name: Status, slug: shop, monitors: [shop] }
  maintenance:
    - title: Database move
      scheduledStart: 2030-05-01T02:00:00Z
      scheduledEnd: 2030-05-01T04:00:00Z
      monitors: [shop]

Apply finds an object on the server by its \`key\`, or by its name if it has no key; a window by its title and start. To
rename an object without a key, or to change a key, add \`renamedFrom\` with the earlier name or key for one apply.
Rules, pages and windows name their monitors and channels by key or name. These may be in the manifest, or only on the
server. A field that is left out has its default, and apply restores that default on the server. \${NAME} and
\${NAME:-default} are read from the environment and never shown; $$ is a dollar sign. --prune deletes objects that the
manifest lacks, but only if it has a list of their kind, even an empty list such as \`channels: []\`. Apply never
changes a window that is over, and --prune never deletes a window that has started.

  managedBy: acme/shop          # apply touches only objects with this name, so several manifests can share a project
  include: [teams/*.yaml]       # relative to this file; files outside of the project's folder need --allow-outside
  defaults:                     # by list or by type; apply to this file and to those that it includes
    monitors: { interval: 30, labels: { team: shop } }
    http: { timeout: 20 }
  overrides:                    # by environment: \`uptime apply --env production\`
    production:
      defaults: { monitors: { interval: 10 } }
      monitors: { shop: { url: https://shop.example.com } }
  monitors:
    - forEach: { region: [eu, us], service: [api, web] }   # makes four monitors; may also be a list of maps
      key: \${each.service}-\${each.region}
      name: \${each.service} in \${each.region}
      type: http
      url: https://\${each.service}.\${each.region}.example.com
      overrides: { production: { retries: 2 } }            # an item may also have overrides, by environment
  alertRules:
    - { name: All of the shop, monitorsWith: { team: shop }, channels: [ops] }

A field of an item replaces a default, \`null\` removes the default, and maps such as labels merge. An override replaces
the field and the default. If a file and a file that it includes set the same default, that of the included file wins.
If they set the same override, that of the including file wins. \`monitorsWith\` selects monitors of the manifest by
labels; a manifest without monitors selects those of the server.
`;

// If a shared field, such as the timeout, has another default in a type, it is listed again for that type.
const differs = (field: string, type: MonitorType, shared: readonly string[]): boolean =>
  field !== 'type' &&
  (!shared.includes(field) || fallback(fieldOf(field, type)) !== fallback(fieldOf(field, monitorTypes[0])));

const fieldLines = (shape: Record<string, z.ZodType>, fits: (field: string) => boolean): string[] =>
  Object.entries(shape)
    .filter(([field]) => fits(field) && field !== 'managedBy')
    .map(([field, schema]) => `  ${field.padEnd(22)}${describe(schema)} ${fallback(schema)}`.trimEnd());

/** Returns a line for each config field of a channel type. The type stands before the first field. */
const configLines = (type: string, shape: Record<string, z.ZodType>): string[] =>
  Object.entries(shape).map(([field, schema], i) =>
    `  ${(i === 0 ? type : '').padEnd(12)}${field.padEnd(16)}${describe(schema)} ${fallback(schema)}`.trimEnd(),
  );

/**
 * Returns the description of a field. A schema may wrap another schema, to add a default or to allow null. Then the
 * inner schema may have the description.
 */
function describe(schema: z.ZodType): string {
  if (schema.description !== undefined) return schema.description;
  const isWrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapped ? describe(schema.unwrap() as z.ZodType) : '';
}

function fallback(schema: z.ZodType): string {
  const parsed = schema.safeParse(undefined);
  if (!parsed.success) return '(required)';
  const text = JSON.stringify(parsed.data);
  return ['null', '{}', '[]'].includes(text) ? '' : `(default ${text})`;
}

const fieldOf = (field: string, type: MonitorType): z.ZodType =>
  (monitorInputs[type].shape as Record<string, z.ZodType>)[field]!;
