import { expect, test } from 'vitest';
import { channelConfigs, channelSecrets } from './channels.ts';
import { monitorInputs, monitorSecrets } from './monitor-fields.ts';

const secretName =
  /secret|password|passphrase|token|credential|cookie|(?:api|user|private|integration)key|headers|body$/i;

/** Returns the names of the secret fields of each type. */
const fieldsOfEach = (secrets: Record<string, object>) =>
  Object.fromEntries(Object.entries(secrets).map(([type, parts]) => [type, Object.keys(parts)]));

test.each([
  ['monitorSecrets', monitorInputs, fieldsOfEach(monitorSecrets)],
  ['channelSecrets', channelConfigs, channelSecrets],
] as const)('%s lists every field whose name sounds like a secret, and only fields that exist', (_, kinds, listed) => {
  for (const [type, schema] of Object.entries(kinds)) {
    const fields = Object.keys(schema.shape);
    const secrets = (listed as Record<string, readonly string[]>)[type]!.map((field) => field.replace('.*', ''));
    const named = fields.filter((field) => secretName.test(field));
    expect({ type, missing: named.filter((field) => !secrets.includes(field)) }).toEqual({ type, missing: [] });
    expect({ type, unknown: secrets.filter((field) => !fields.includes(field)) }).toEqual({ type, unknown: [] });
  }
});
