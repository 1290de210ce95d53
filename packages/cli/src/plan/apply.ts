import { ApiError, ServerError, UptimeError } from '@uptime/sdk';
import type { Collection, Fields, Kind, Remote } from '../kinds/kind.ts';
import type { Wanted } from '../manifest/item.ts';
import type { Change, Plan, Targets } from './change.ts';
import { patchFrom } from './diff.ts';
import { changesOf, phases } from './order.ts';

/** The calls that an apply makes for one kind. */
export type Writer = Pick<Collection, 'create' | 'update' | 'delete'>;

export interface Applied {
  /** What was done, and what the server has of it now. */
  done: { change: Change; result: Remote | null }[];
  /** What failed; at most one failure stops the rest, but calls under way at that moment may fail too. */
  failed: Failure[];
  /** What was not begun. */
  skipped: Change[];
}

export interface Failure {
  change: Change;
  error: unknown;
  /** What became of it: nothing, some of it, or the server did not say. */
  made: 'nothing' | 'a part' | 'unknown';
}

/** A replacement that stopped half-way. The message says what there is now, the cause why. */
export class HalfReplaced extends Error {
  override name = 'HalfReplaced';
}

/** Whether a call that failed so may have been carried out all the same: its answer got lost, or makes no sense. */
export const mayBeMade = (error: unknown): boolean =>
  error instanceof ServerError || (error instanceof UptimeError && !(error instanceof ApiError));

export interface ApplyOptions {
  /** Most calls under way at once. */
  concurrency?: number;
  signal?: AbortSignal;
  onDone?: (change: Change, done: number, total: number) => void;
}

/**
 * Carries a plan out, phase by phase, several calls at once. After the first failure, and once the signal is aborted,
 * nothing new is begun; calls under way are waited for, so that the answer tells exactly what was done.
 */
export async function applyPlan(
  plan: Plan,
  writerOf: (kind: Kind) => Writer,
  options: ApplyOptions = {},
): Promise<Applied> {
  const { concurrency = 8, signal, onDone } = options;
  const applied: Applied = { done: [], failed: [], skipped: [] };
  const stopped = () => applied.failed.length > 0 || signal?.aborted === true;
  /** The ids of what this apply has made. */
  const made = new Map<Wanted, string>();

  for (const phase of phases) {
    const queue = changesOf(phase, plan.changes);
    const writer = writerOf(phase.kind);
    const worker = async () => {
      while (!stopped()) {
        const change = queue.shift();
        if (!change) return;
        try {
          const result = await carryOut(change, writer, made);
          if (result && change.action !== 'delete') made.set(change.wanted, result.id);
          applied.done.push({ change, result });
          onDone?.(change, applied.done.length, plan.changes.length);
        } catch (error) {
          const made = error instanceof HalfReplaced ? 'a part' : mayBeMade(error) ? 'unknown' : 'nothing';
          applied.failed.push({ change, error, made });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(phase.atOnce ?? concurrency, queue.length) }, worker));
    applied.skipped.push(...queue);
  }
  return applied;
}

type Made = ReadonlyMap<Wanted, string>;

async function carryOut(change: Change, writer: Writer, made: Made): Promise<Remote | null> {
  if (change.action === 'update') {
    const { kind, fields, targets, current } = change;
    const isReference = ({ at }: (typeof fields)[number]) => at[0] in kind.references;
    const changed = Object.fromEntries(fields.filter(isReference).map(({ at: [field] }) => [field, targets[field]!]));
    const plain = patchFrom(fields.filter((field) => !isReference(field)));
    return writer.update(current.id, { ...plain, ...idsOf(kind, changed, made) });
  }
  if (change.action === 'delete') {
    await writer.delete(change.current.id);
    return null;
  }
  const body = createBody(change.wanted, change.targets, made);
  return change.action === 'create' ? writer.create(body) : replace(change.current, body, writer);
}

/**
 * Creates the new one before it deletes the old one: a server that refuses it, as beyond the plan, takes nothing away.
 * The key of both is given up by the old one first, and given back when there is no new one.
 */
async function replace(old: Remote, body: Fields, writer: Writer): Promise<Remote> {
  const { id, key } = old;
  const isShared = key != null && key === body['key'];
  if (isShared) await writer.update(id, { key: null });
  const created = await writer.create(body).catch(async (cause: unknown) => {
    if (!isShared) throw cause;
    await writer.update(id, { key }).catch(() => {
      const doubt = mayBeMade(cause) ? 'whether it was created anew is not known; ' : '';
      throw new HalfReplaced(`${doubt}the old one, ${id}, is kept, but may be without its key`, { cause });
    });
    throw cause;
  });
  await writer.delete(id).catch((cause: unknown) => {
    const mend = `delete it by \`uptime monitors delete ${id}\` if it is`;
    throw new HalfReplaced(`it was created anew, but the old one, ${id}, may still be there; ${mend}`, { cause });
  });
  return created;
}

const createBody = ({ kind, given }: Wanted, targets: Targets, made: Made): Fields => ({
  ...Object.fromEntries(
    Object.entries(given).filter(([field, value]) => value !== null && !(field in kind.references)),
  ),
  ...idsOf(kind, targets, made),
});

/** References as the server takes them: by id, what this apply has made included. */
function idsOf(kind: Kind, targets: Targets, made: Made): Fields {
  const fields = Object.entries(targets).map(([field, all]) => {
    const ids = all.map(({ wanted, current, name }) => {
      const id = (wanted && made.get(wanted)) ?? current?.id;
      // A plan has what is named come first, and a failure there ends the apply.
      if (id === undefined) throw new Error(`${name} has no id yet.`);
      return id;
    });
    return [kind.references[field]!.ids, ids] as const;
  });
  return Object.fromEntries(fields);
}
