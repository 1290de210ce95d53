import type { Namespaces, Place } from './namespaces.ts';

/** A request to the API of the daemon. `asOwner` sends it as the person who owns the server, without an API key. */
export interface DaemonRequest {
  id: number;
  method: string;
  path: string;
  body?: object;
  asOwner?: boolean;
}

export interface DaemonAnswer {
  kind: 'answer';
  id: number;
  status: number;
  body: unknown;
}

/** A change of status. Monitors are numbered in order of creation. */
export interface SentTransition {
  kind: 'transition';
  monitor: number;
  to: string;
  error: { code: string; message: string } | null;
  at: number;
}

export interface DaemonOptions {
  where: Place;
  env: Record<string, string>;
  onTransition: (transition: SentTransition) => void;
}

export interface StartedDaemon {
  /** Sends a request from inside the daemon's namespace. Resolves with the body of the answer. Throws for an error. */
  ask<T>(method: string, path: string, more?: Pick<DaemonRequest, 'body' | 'asOwner'>): Promise<T>;
}

/** Starts a daemon in a namespace. */
export async function startDaemon(
  namespaces: Pick<Namespaces, 'start'>,
  { where, env, onTransition }: DaemonOptions,
): Promise<StartedDaemon> {
  const waiting = new Map<number, (answer: DaemonAnswer) => void>();
  let asked = 0;
  const child = await namespaces.start(where, 'serve-daemon.ts', [JSON.stringify(env)], (sent) => {
    const message = sent as DaemonAnswer | SentTransition;
    if (message.kind === 'transition') return onTransition(message);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  return {
    async ask<T>(method: string, path: string, more: Pick<DaemonRequest, 'body' | 'asOwner'> = {}) {
      const id = ++asked;
      const answered = new Promise<DaemonAnswer>((resolve) => void waiting.set(id, resolve));
      child.send({ id, method, path, ...more } satisfies DaemonRequest);
      const { status, body } = await answered;
      // With status 503, `/healthz` returns its warnings too.
      if (status >= 300 && status !== 503) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
      return body as T;
    },
  };
}
