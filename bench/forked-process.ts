import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends a message to a process and waits for its answer. */
export async function ask<T>(child: ChildProcess, message: string): Promise<T> {
  const answer = answerOf<T>(child);
  child.send(message);
  return answer;
}

/** Returns the next message of a process. Throws if the process ends before it sends one. */
export async function answerOf<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController();
  const ended = once(child, 'exit', waiting).then(([code]) => {
    throw new Error(`A process of the benchmark ended with code ${code}.`);
  });
  try {
    const [answer] = (await Promise.race([once(child, 'message', waiting), ended])) as [T];
    return answer;
  } finally {
    waiting.abort();
    // `abort` also rejects the promise `ended`, if the process still runs. That is not an error.
    ended.catch(() => {});
  }
}
