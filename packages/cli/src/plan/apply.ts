import { ApiError, ServerError, UptimeError } from '@uptime/sdk';
import type { Collection, Fields, Kind, Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import type { Change, Plan, Targets } from './change.ts';
import { patchFrom } from './diff.ts';
import { changesOf, phases } from './order.ts';

/** The methods that an apply calls for one kind of resource. */
export type Writer = Pick<Collection, 'create' | 'update' | 'delete'>;

export interface Applied {
  /** The changes that were made, each with the resource as it is on the server now. */
  done: { change: Change; result: Remote | null }[];
  /**
   * The changes that failed. No new call starts after the first failure, but calls that were already sent may fail too.
   */
  failed: Failure[];
  /** The changes that were not started. */
  skipped: Change[];
}

export interface Failure {
  change: Change;
  error: unknown;
  /** How much of the change the server made before the failure. */
  made: 'nothing' | 'a part' | 'unknown';
}

/**
 * The error of a replacement that stopped half-way. Its message says what exists now, and `cause` is the error that
 * stopped the replacement.
 */
export class HalfReplaced extends Error {
  override name = 'HalfReplaced';
}

/**
 * Whether the server may have carried out a call that failed with this error. That is so if the server or a proxy
 * answered with a 5xx status, or if the answer was lost or could not be read.
 */
export const mayBeMade = (error: unknown): boolean =>
  error instanceof ServerError || (error instanceof UptimeError && !(error instanceof ApiError));

export interface ApplyOptions {
  /** Maximum number of calls at once. */
  concurrency?: number;
  signal?: AbortSignal;
  onDone?: (change: Change, done: number, total: number) => void;
}

/**
 * Carries out a plan phase by phase, with several calls at once. After a failure or an abort, starts no new calls.
 * Waits for calls that were already sent, so that the result contains every change that was made.
 */
export async function applyPlan(
  plan: Plan,
  writerOf: (kind: Kind) => Writer,
  options: ApplyOptions = {},
): Promise<Applied> {
  const { concurrency = 8, signal, onDone } = options;
  const applied: Applied = { done: [], failed: [], skipped: [] };
  const stopped = () => applied.failed.length > 0 || signal?.aborted === true;
  /** The ids of the resources that were created so far. */
  const createdIds = new Map<Wanted, string>();

  for (const phase of phases) {
    const queue = changesOf(phase, plan.changes);
    const writer = writerOf(phase.kind);
    const worker = async () => {
      while (!stopped()) {
        const change = queue.shift();
        if (!change) return;
        try {
          const result = await carryOut(change, writer, createdIds);
          if (result && change.action !== 'delete') createdIds.set(change.wanted, result.id);
          applied.done.push({ change, result });
          onDone?.(change, applied.done.length, plan.changes.length);
        } catch (error) {
          const made = error instanceof HalfReplaced ? 'a part' : mayBeMade(error) ? 'unknown' : 'nothing';
          applied.failed.push({ change, error, made });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(phase.maxConcurrent ?? concurrency, queue.length) }, worker));
    applied.skipped.push(...queue);
  }
  return applied;
}

type CreatedIds = ReadonlyMap<Wanted, string>;

async function carryOut(change: Change, writer: Writer, createdIds: CreatedIds): Promise<Remote | null> {
  if (change.action === 'update') {
    const { kind, fields, targets, current } = change;
    const isReference = ({ at }: (typeof fields)[number]) => at[0] in kind.references;
    const changed = Object.fromEntries(fields.filter(isReference).map(({ at: [field] }) => [field, targets[field]!]));
    const plain = patchFrom(fields.filter((field) => !isReference(field)));
    return writer.update(current.id, { ...plain, ...idsOf(kind, changed, createdIds) });
  }
  if (change.action === 'delete') {
    await writer.delete(change.current.id);
    return null;
  }
  const body = createBody(change.wanted, change.targets, createdIds);
  return change.action === 'create' ? writer.create(body) : replace(change.current, body, writer);
}

/**
 * Replaces a resource. Creates the new one before it deletes the old one, so that nothing is lost if the server refuses
 * the new one. If both have the same key, removes the key from the old one before it creates the new one. If the new
 * one is not created, the old one gets the key back.
 */
async function replace(old: Remote, body: Fields, writer: Writer): Promise<Remote> {
  const { id, key } = old;
  const isShared = key != null && key === body['key'];
  if (isShared) await writer.update(id, { key: null });
  const created = await writer.create(body).catch(async (cause: unknown) => {
    if (!isShared) throw cause;
    await writer.update(id, { key }).catch(() => {
      const doubt = mayBeMade(cause) ? 'it is not known whether the new monitor was created; ' : '';
      throw new HalfReplaced(`${doubt}the old monitor, ${id}, is kept, but may have lost its key`, { cause });
    });
    throw cause;
  });
  await writer.delete(id).catch((cause: unknown) => {
    const advice = `if it does, delete it with \`uptime monitors delete ${id}\``;
    throw new HalfReplaced(`the new monitor was created, but the old one, ${id}, may still exist; ${advice}`, {
      cause,
    });
  });
  return created;
}

const createBody = ({ kind, given }: Wanted, targets: Targets, createdIds: CreatedIds): Fields => ({
  ...Object.fromEntries(
    Object.entries(given).filter(([field, value]) => value !== null && !(field in kind.references)),
  ),
  ...idsOf(kind, targets, createdIds),
});

/** Returns the ids to which the references lead. Resources that this apply has created are included. */
function idsOf(kind: Kind, targets: Targets, createdIds: CreatedIds): Fields {
  const fields = Object.entries(targets).map(([field, all]) => {
    const ids = all.map(({ wanted, current, name }) => {
      const id = (wanted && createdIds.get(wanted)) ?? current?.id;
      // Resources are created before the objects that refer to them. So a missing id is a fault of this program.
      if (id === undefined) throw new Error(`${name} has no id yet.`);
      return id;
    });
    return [kind.references[field]!.ids, ids] as const;
  });
  return Object.fromEntries(fields);
}
