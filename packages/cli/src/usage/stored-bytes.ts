import { monitorSecrets, type MonitorType, secretsInAddress } from '@uptime/sdk/contract';
import { type Fields, fieldsOf } from '../kinds/kind.ts';
import type { Change } from '../plan/change.ts';
import { isMasked } from '../mask.ts';

/** Bytes of a row without its texts, and of each monitor or channel that it names, as the server counts them. */
const rowBytes = 200;
const memberBytes = 40;
/**
 * The server keeps its answer to a create for a day. Bytes of that answer: for each field of the request, and for the
 * rest.
 */
const keptFieldBytes = 60;
const keptAnswerBytes = 1600;

/** Returns at most how many bytes a change adds to the storage of its project; negative if it frees some. */
export function addedBytes(change: Change): number {
  if (change.action === 'delete') return 0;
  const { wanted, kind } = change;
  const after = storedBytes(change, wanted.value);
  const fields = Object.keys(wanted.given).length;
  if (change.action !== 'update') return after + keptAnswerBytes + keptFieldBytes * fields;
  // Only the changed fields count, because a read masks secrets. A masked value counts as short.
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
  // A window is stored with the first entry of its timeline.
  return row + textBytes(own) + (kind.name === 'maintenanceWindow' ? rowBytes : 0);
}

/** A monitor keeps the names of its headers in the clear, and its secrets sealed. */
function monitorBytes(fields: Fields): number {
  const shown: Record<string, unknown> = { ...fields };
  let sealed = 0;
  for (const secret of monitorSecrets[fields['type'] as MonitorType]) {
    const field = secret.replace('.*', '');
    const value = shown[field];
    if (value === null || value === undefined) continue;
    if (field === 'url') {
      if (typeof value === 'string' && secretsInAddress(value).length > 0) sealed += sealedBytes(value);
      continue;
    }
    sealed += sealedBytes(value);
    shown[field] = typeof value === 'object' ? Object.fromEntries(Object.keys(value).map((name) => [name, ''])) : null;
  }
  return textBytes(shown) + sealed;
}

/** Encrypted JSON in Base64, with its nonce and tag, and the name of its field. */
const sealedBytes = (value: unknown): number =>
  60 + Math.ceil((4 / 3) * Buffer.byteLength(JSON.stringify(value ?? {})));

/**
 * Bytes of fields as JSON. All numbers and booleans count as equally long, because an edit of only these never grows a
 * project.
 */
const textBytes = (fields: object): number =>
  Buffer.byteLength(
    JSON.stringify(fields, (_, value: unknown) =>
      typeof value === 'number' || typeof value === 'boolean' || value === undefined ? null : value,
    ),
  );
