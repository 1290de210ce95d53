import { bucketCount, digestOf, sizeOfDigest, type Versions, versionsFromText } from '../core/version-buckets.ts';
import { maxVersionsAsked, type SyncCall } from '../probe-protocol.ts';
import { type DigestedVersions, digestVersions, type Pieces, startPieces } from '../version-digests.ts';
import { nextTurn } from '../wait.ts';

/** The changes that make the monitors of a probe equal to those that it should have. */
export interface AssignmentChange {
  changed: number[];
  removed: number[];
  /** Buckets for which the server needs the versions of the probe's monitors before it can tell what has to change. */
  ask: number[];
}

export const isEmpty = ({ changed, removed, ask }: AssignmentChange): boolean =>
  changed.length === 0 && removed.length === 0 && ask.length === 0;

/**
 * The buckets and digests of each map of monitors. They are computed only once for a map, and `RegionMonitors.of`
 * returns the same map until something changes.
 */
const known = new WeakMap<Versions, Promise<DigestedVersions>>();

export function digested(versions: Versions): Promise<DigestedVersions> {
  const found = known.get(versions);
  if (found) return found;
  const made = digestVersions(versions);
  known.set(versions, made);
  return made;
}

/**
 * Returns how the monitors of a probe have to change. `call` describes its present monitors by their
 * digests and versions; `wanted` are the monitors that it should have. A node needs nothing from earlier calls, so
 * another node may have answered them.
 */
export async function changeFor(call: Pick<SyncCall, 'has' | 'versions'>, wanted: Versions): Promise<AssignmentChange> {
  const { buckets, digests } = await digested(wanted);
  const named = new Map(call.versions.map(({ bucket, text }) => [bucket, versionsFromText(text)]));
  const change: AssignmentChange = { changed: [], removed: [], ask: [] };
  const pieces = startPieces();
  let asked = 0;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const has = call.has[bucket]!;
    if (has === digests[bucket]) continue;
    const held = has === '' ? nothing : named.get(bucket);
    if (held && digestOf(held) === has) await addChange(change, { held, wanted: buckets[bucket]! }, pieces);
    else if (asked === 0 || asked + sizeOfDigest(has) <= maxVersionsAsked) {
      change.ask.push(bucket);
      asked += sizeOfDigest(has);
    }
  }
  return change;
}

const nothing: Versions = new Map();

/** Returns how the monitors of a probe have to change if it has `held` and should have `wanted`. */
export async function changeBetween(held: Versions, wanted: Versions): Promise<AssignmentChange> {
  const change: AssignmentChange = { changed: [], removed: [], ask: [] };
  await addChange(change, { held, wanted }, startPieces());
  return change;
}

async function addChange(
  { changed, removed }: AssignmentChange,
  { held, wanted }: { held: Versions; wanted: Versions },
  pieces: Pieces,
): Promise<void> {
  for (const [monitor, version] of wanted) {
    if (held.get(monitor) !== version) changed.push(monitor);
    if (pieces.add(1)) await nextTurn();
  }
  for (const monitor of held.keys()) {
    if (!wanted.has(monitor)) removed.push(monitor);
    if (pieces.add(1)) await nextTurn();
  }
}
