import {
  bucketCount,
  digestOf,
  sizeOfDigest,
  toBuckets,
  type Versions,
  versionsFromText,
} from '../core/version-buckets.ts';
import { mostVersionsAsked, type SyncCall } from '../probe-protocol.ts';

/** The changes that make the monitors of a probe equal to those that it should have. */
export interface AssignmentChange {
  changed: number[];
  removed: number[];
  /** Buckets for which the server needs the versions of the probe's monitors before it can tell what has to change. */
  ask: number[];
}

export const isEmpty = ({ changed, removed, ask }: AssignmentChange): boolean =>
  changed.length === 0 && removed.length === 0 && ask.length === 0;

interface Digested {
  buckets: readonly Versions[];
  digests: readonly string[];
}

/**
 * The buckets and digests of each map. `RegionMonitors.of` returns the same map until something changes, so they are
 * computed only once for a map.
 */
const known = new WeakMap<Versions, Digested>();

function digested(versions: Versions): Digested {
  const found = known.get(versions);
  if (found) return found;
  const buckets = toBuckets(versions);
  const made = { buckets, digests: buckets.map(digestOf) };
  known.set(versions, made);
  return made;
}

/**
 * Returns how the monitors of a probe have to change. `call` says by digests and versions which monitors the probe has;
 * `wanted` are those that it should have. So a node can answer the call even if another node answered the earlier
 * calls.
 */
export function changeFor(call: Pick<SyncCall, 'has' | 'versions'>, wanted: Versions): AssignmentChange {
  const { buckets, digests } = digested(wanted);
  const named = new Map(call.versions.map(({ bucket, text }) => [bucket, versionsFromText(text)]));
  const change: AssignmentChange = { changed: [], removed: [], ask: [] };
  let asked = 0;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const has = call.has[bucket]!;
    if (has === digests[bucket]) continue;
    const held = has === '' ? nothing : named.get(bucket);
    if (held && digestOf(held) === has) addChange(change, held, buckets[bucket]!);
    else if (asked === 0 || asked + sizeOfDigest(has) <= mostVersionsAsked) {
      change.ask.push(bucket);
      asked += sizeOfDigest(has);
    }
  }
  return change;
}

const nothing: Versions = new Map();

/** Returns how the monitors of a probe have to change if it has `held` and should have `wanted`. */
export function changeBetween(held: Versions, wanted: Versions): AssignmentChange {
  const change: AssignmentChange = { changed: [], removed: [], ask: [] };
  addChange(change, held, wanted);
  return change;
}

function addChange({ changed, removed }: AssignmentChange, held: Versions, wanted: Versions): void {
  for (const [monitor, version] of wanted) if (held.get(monitor) !== version) changed.push(monitor);
  for (const monitor of held.keys()) if (!wanted.has(monitor)) removed.push(monitor);
}
