import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { networkOf } from './network-of.ts';

/** Maximum number of bytes of answers that wait in memory for their clients, in total and for one network. */
const maxUnsentBytes = { inAll: 128 * 1024 * 1024, perNetwork: 32 * 1024 * 1024 };
/**
 * Only answers of at least this length are counted. Shorter answers leave this process at once, into the buffer of the
 * socket.
 */
const longFromBytes = 16_384;
/** Approximate number of bytes of a streamed list that are in memory at a time. */
const bytesOfStream = 1024 * 1024;

/**
 * Counts the answers that wait for clients to read them. Beyond a limit, closes the connections of the oldest answers.
 */
export interface UnsentAnswers {
  /**
   * Counts an answer as unsent, and returns a function to call when it is sent. `cut` closes the connection of the
   * answer. If several answers to one network have the same `body`, its bytes are counted once, because the body is in
   * memory once.
   */
  add(network: string, bytes: number, cut: () => void, body?: object): () => void;
}

export function createUnsentAnswers(limits = maxUnsentBytes): UnsentAnswers {
  interface Unsent {
    bytes: number;
    cut: () => void;
    body: object;
  }
  interface Held {
    bytes: number;
    answers: Set<Unsent>;
    /** For each body, the number of unsent answers that contain it. */
    bodies: Map<object, number>;
  }
  const networks = new Map<string, Held>();
  let inAll = 0;

  const remove = (network: string, answer: Unsent) => {
    const held = networks.get(network);
    if (!held?.answers.delete(answer)) return;
    const others = held.bodies.get(answer.body)! - 1;
    if (others > 0) held.bodies.set(answer.body, others);
    else {
      held.bodies.delete(answer.body);
      held.bytes -= answer.bytes;
      inAll -= answer.bytes;
    }
    if (held.answers.size === 0) networks.delete(network);
  };
  const largest = () => [...networks].reduce((fullest, one) => (one[1].bytes > fullest[1].bytes ? one : fullest));
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
    add(network, bytes, cut, body = {}) {
      const answer = { bytes, cut, body };
      const held: Held = networks.get(network) ?? { bytes: 0, answers: new Set(), bodies: new Map() };
      networks.set(network, held);
      held.answers.add(answer);
      const others = held.bodies.get(body) ?? 0;
      held.bodies.set(body, others + 1);
      if (others === 0) {
        held.bytes += bytes;
        inAll += bytes;
      }
      while (held.bytes > limits.perNetwork && cutOldest(network, held.answers, answer));
      while (inAll > limits.inAll) {
        const [name, { answers }] = largest();
        if (!cutOldest(name, answers, answer)) break;
      }
      return () => remove(network, answer);
    },
  };
}

/** Limits the memory that a server uses for answers that clients do not read. */
export function limitUnsentAnswers(app: FastifyInstance, unsent = createUnsentAnswers()): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesInMemory(payload);
    // An answer whose connection has already closed is not counted, because it will not emit `close` again.
    if (bytes >= longFromBytes && !reply.raw.destroyed && !request.raw.socket.destroyed) {
      const sent = unsent.add(networkOf(request.ip), bytes, () => reply.raw.destroy(), objectOf(payload));
      reply.raw.once('close', sent);
    }
    done();
  });
}

/** Returns how many bytes of an answer stay in memory until the client reads them. */
function bytesInMemory(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof Readable ? bytesOfStream : 0;
}

const objectOf = (payload: unknown): object | undefined => (Buffer.isBuffer(payload) ? payload : undefined);
