import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ServiceError } from '../errors.ts';

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Sends 405, with `Allow`, for methods that a known address does not accept. Call it before routes are added. */
export function refuseOtherMethods(app: FastifyInstance): { done: () => void } {
  const taken = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const set = taken.get(route.url) ?? new Set();
    taken.set(route.url, set);
    for (const method of [route.method].flat()) set.add(method);
  });
  return {
    done() {
      for (const [url, known] of taken) {
        const allow = [...known].toSorted().join(', ');
        app.route({
          method: methods.filter((method) => !known.has(method)),
          url,
          // Runs before the body is read, so that its size and type do not matter.
          onRequest: async (_, reply) => {
            reply.header('allow', allow);
            throw new ServiceError('method_not_allowed', `This address accepts only ${allow}.`);
          },
          handler: () => undefined,
        });
      }
    },
  };
}
