import {
  isMasked,
  memberBytes,
  monitorSecrets,
  type MonitorType,
  rowBytes,
  secretsInAddress,
} from '@uptime/sdk/contract';
import { type Fields, fieldsOf } from '../kinds/kind.ts';
import type { Change } from '../plan/change.ts';

/**
 * The server stores its answer to each request that creates a resource, and deletes the stored answer after a day. The
 * stored answer takes `keptAnswerBytes`, and `keptFieldBytes` more for each field of the request.
 */
const keptFieldBytes = 60;
const keptAnswerBytes = 1600;

/**
 * Returns the maximum number of bytes that a change may add to the storage of its project. The number is negative if an
 * update frees storage, and 0 for a deletion.
 */
export function addedBytes(change: Change): number {
  if (change.action === 'delete') return 0;
  const { wanted, kind } = change;
  const after = storedBytes(change, wanted.value);
  const fields = Object.keys(wanted.given).length;
  if (change.action !== 'update') return after + keptAnswerBytes + keptFieldBytes * fields;
  // The server masks secrets in its answers, so the old size is not known exactly. It is computed from the wanted
  // fields, with the old values of the changed fields. A masked old value has the size of an empty text.
  const current = fieldsOf(change.current);
  const before: Fields = { ...wanted.value };
  for (const { at } of change.fields) {
    const [field] = at;
    const ids = kind.references[field]?.ids ?? field;
    before[field] = withoutMasked(current[ids]);
  }
  for (const [field, { ids }] of Object.entries(kind.references)) before[field] = current[ids];
  return after - storedBytes(change, before);
}

const withoutMasked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (_, inner: unknown) => (isMasked(inner) ? '' : inner)));

function storedBytes({ kind }: Change, fields: Fields): number {
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in kind.references)));
  const members = Object.keys(kind.references).flatMap((field) => (fields[field] ?? []) as unknown[]).length;
  const row = rowBytes + memberBytes * members;
  if (kind.name === 'monitor') return row + monitorBytes(own);
  if (kind.name === 'channel') return row + textBytes({ ...own, config: null }) + sealedBytes(own['config']);
  // The server stores a window together with the first entry of its timeline, which is one more row.
  return row + textBytes(own) + (kind.name === 'maintenanceWindow' ? rowBytes : 0);
}

/** Returns the bytes of a monitor. The server stores the names of headers as plain text, and secrets encrypted. */
function monitorBytes(fields: Fields): number {
  const shown: Record<string, unknown> = { ...fields };
  let sealed = 0;
  for (const [field, part] of Object.entries(monitorSecrets[fields['type'] as MonitorType])) {
    const value = shown[field];
    if (value === null || value === undefined) continue;
    if (part === 'credentials') {
      if (typeof value === 'string' && secretsInAddress(value).length > 0) sealed += sealedBytes(value);
      continue;
    }
    sealed += sealedBytes(value);
    shown[field] = part === 'values' ? Object.fromEntries(Object.keys(value).map((name) => [name, ''])) : null;
  }
  return textBytes(shown) + sealed;
}

/** Returns the bytes of a secret: encrypted JSON in Base64, with nonce, tag and the name of the field. */
const sealedBytes = (value: unknown): number =>
  60 + Math.ceil((4 / 3) * Buffer.byteLength(JSON.stringify(value ?? {})));

/**
 * Returns the bytes of fields as JSON. Each number and boolean counts as `null`. So an edit that changes only such
 * fields adds no bytes, as on the server.
 */
const textBytes = (fields: object): number =>
  Buffer.byteLength(
    JSON.stringify(fields, (_, value: unknown) =>
      typeof value === 'number' || typeof value === 'boolean' || value === undefined ? null : value,
    ),
  );
