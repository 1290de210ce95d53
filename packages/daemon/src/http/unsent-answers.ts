import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { networkOf } from './network-of.ts';

/** Most bytes of answers that wait in memory for their clients, in all and for one network. */
export const maxUnsentBytes = { inAll: 128 * 1024 * 1024, perNetwork: 32 * 1024 * 1024 };
/** Shorter answers do not count: a client's socket takes them at once. */
const longFromBytes = 16_384;
/** A streamed list has about this much in memory at a time. */
const bytesOfStream = 1024 * 1024;

/** Counts the answers that wait for clients to read them, and closes the oldest connections beyond a limit. */
export interface UnsentAnswers {
  /** Counts an answer. Returns the function to call when it is sent. `cut` closes its connection. */
  add(network: string, bytes: number, cut: () => void): () => void;
}

export function createUnsentAnswers(limits = maxUnsentBytes): UnsentAnswers {
  interface Unsent {
    bytes: number;
    cut: () => void;
  }
  const networks = new Map<string, { bytes: number; answers: Set<Unsent> }>();
  let inAll = 0;

  const remove = (network: string, answer: Unsent) => {
    const held = networks.get(network);
    if (!held?.answers.delete(answer)) return;
    held.bytes -= answer.bytes;
    inAll -= answer.bytes;
    if (held.answers.size === 0) networks.delete(network);
  };
  const largest = () => [...networks].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
  const cutOldest = (network: string, answers: Set<Unsent>, keep: Unsent) => {
    for (const oldest of answers) {
      if (oldest === keep) return false;
      remove(network, oldest);
      oldest.cut();
      return true;
    }
    return false;
  };

  return {
    add(network, bytes, cut) {
      const answer = { bytes, cut };
      const held = networks.get(network) ?? { bytes: 0, answers: new Set() };
      networks.set(network, held);
      held.answers.add(answer);
      held.bytes += bytes;
      inAll += bytes;
      while (held.bytes > limits.perNetwork && cutOldest(network, held.answers, answer));
      while (inAll > limits.inAll) {
        const [name, { answers }] = largest();
        if (!cutOldest(name, answers, answer)) break;
      }
      return () => remove(network, answer);
    },
  };
}

/** Limits the memory of a server's answers that their clients do not read. */
export function limitUnsentAnswers(app: FastifyInstance, unsent = createUnsentAnswers()): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes =
      typeof payload === 'string' ? payload.length : payload instanceof Readable ? bytesOfStream : longFromBytes - 1;
    // A response that has closed already would not report it again.
    if (bytes >= longFromBytes && !reply.raw.destroyed && !request.raw.socket.destroyed) {
      const sent = unsent.add(networkOf(request.ip), bytes, () => reply.raw.destroy());
      reply.raw.once('close', sent);
    }
    done();
  });
}
