import type { Monitor, MonitorInput, MonitorPatch } from '@uptime/sdk';
import type { Change, Plan } from './change.ts';
import { patchFrom } from './diff.ts';
import { phases } from './order.ts';

/** The calls that an apply makes; the SDK's `client.monitors` is one. */
export interface MonitorWriter {
  create(input: MonitorInput): Promise<Monitor>;
  update(id: string, patch: MonitorPatch): Promise<Monitor>;
  delete(id: string): Promise<unknown>;
}

export interface Applied {
  done: { change: Change; monitor: Monitor | null }[];
  /** What failed; at most one failure stops the rest, but calls under way at that moment may fail too. */
  failed: { change: Change; error: unknown }[];
  /** What was not begun. */
  skipped: Change[];
}

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
export async function applyPlan(plan: Plan, writer: MonitorWriter, options: ApplyOptions = {}): Promise<Applied> {
  const { concurrency = 8, signal, onDone } = options;
  const applied: Applied = { done: [], failed: [], skipped: [] };
  const stopped = () => applied.failed.length > 0 || signal?.aborted === true;

  for (const actions of phases) {
    const queue = plan.changes.filter(({ action }) => actions.includes(action));
    const worker = async () => {
      while (!stopped()) {
        const change = queue.shift();
        if (!change) return;
        try {
          applied.done.push({ change, monitor: await carryOut(change, writer) });
          onDone?.(change, applied.done.length, plan.changes.length);
        } catch (error) {
          applied.failed.push({ change, error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, worker));
    applied.skipped.push(...queue);
  }
  return applied;
}

async function carryOut(change: Change, writer: MonitorWriter): Promise<Monitor | null> {
  if (change.action === 'update') return writer.update(change.current.id, patchFrom(change.fields));
  if (change.action !== 'create') await writer.delete(change.current.id);
  return change.action === 'delete' ? null : writer.create(createBody(change.wanted.given));
}

// The manifest's validation has proved the shape, which the type of `given` no longer shows.
const createBody = (given: Record<string, unknown>): MonitorInput =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as unknown as MonitorInput;
