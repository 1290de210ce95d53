import { z } from 'zod';
import { monitorInputs, type MonitorType } from '@uptime/sdk/contract';

/** The manifest's form and every field of every type, read from the contract. */
export function manifestTopic(): string {
  const types = Object.keys(monitorInputs) as MonitorType[];
  const shared = Object.keys(monitorInputs.http.shape).filter((field) =>
    types.every((type) => field in monitorInputs[type].shape && field !== 'type'),
  );
  return [
    opening,
    'Every monitor:',
    ...fieldLines('http', (field) => shared.includes(field)),
    ...types.flatMap((type) => ['', `type: ${type}`, ...fieldLines(type, (field) => differs(field, type, shared))]),
  ].join('\n');
}

const opening = `A manifest is YAML with a list \`monitors\`:

  monitors:
    - key: shop                 # a name of your own that stays
      name: Shop
      type: http
      url: \${SHOP_URL:-https://shop.example.com}

A monitor is found again by its \`key\`, without one by its name. A field that is left out has its default: apply sets it
back on the server. \${NAME} and \${NAME:-default} are read from the environment, and never shown; $$ is a dollar sign.
`;

// A shared field is told again where its default is another one, such as the timeout.
const differs = (field: string, type: MonitorType, shared: readonly string[]): boolean =>
  field !== 'type' && (!shared.includes(field) || fallback(field, type) !== fallback(field, 'http'));

function fieldLines(type: MonitorType, fits: (field: string) => boolean): string[] {
  return Object.keys(monitorInputs[type].shape)
    .filter(fits)
    .map((field) => `  ${field.padEnd(22)}${describe(field, type)} ${fallback(field, type)}`.trimEnd());
}

function describe(field: string, type: MonitorType): string {
  const schema = fieldOf(field, type);
  return schema.description ?? (schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType).description : '') ?? '';
}

function fallback(field: string, type: MonitorType): string {
  const parsed = fieldOf(field, type).safeParse(undefined);
  if (!parsed.success) return '(required)';
  const text = JSON.stringify(parsed.data);
  return ['null', '{}', '[]'].includes(text) ? '' : `(default ${text})`;
}

const fieldOf = (field: string, type: MonitorType): z.ZodType =>
  (monitorInputs[type].shape as Record<string, z.ZodType>)[field]!;
