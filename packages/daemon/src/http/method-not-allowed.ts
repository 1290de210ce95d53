import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import { ServiceError } from '../errors.ts';

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The address pattern of one or more routes, such as `/api/monitors/:monitorId` or `/status/*`. */
interface Address {
  url: string;
  parts: string[];
  /** The methods for which the address has a route. */
  accepted: Set<string>;
}

/**
 * Sends 405, with `Allow`, for methods that a known address does not accept. Call this function before routes are
 * added, and the returned `done` after all routes are added. When a request has no route, a hook searches the known
 * addresses. A route for each refused method would take time and memory at each start.
 */
export function refuseOtherMethods(app: FastifyInstance): { done: () => void } {
  const addresses = new Map<string, Address>();
  let isDone = false;
  app.addHook('onRoute', ({ url, method }) => {
    if (isDone) return;
    const address = addresses.get(url) ?? { url, parts: url.split('/'), accepted: new Set() };
    addresses.set(url, address);
    for (const one of [method].flat()) address.accepted.add(one);
  });
  // This hook runs before the body is read, so that a body that is too long or of a wrong type also gets 405.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || !methods.includes(request.method)) return;
    const parts = request.url.split('?', 1)[0]!.split('/');
    const found = [...addresses.values()].filter((address) => matches(address, parts));
    // As Fastify does, this selects the address with the fewest variable parts.
    const [address] = found.toSorted((one, other) => variableParts(one) - variableParts(other));
    if (address) throw refusal(reply, address);
  });
  return {
    done() {
      isDone = true;
      for (const address of addresses.values()) {
        const method = takenByOthers(address, addresses);
        if (method.length === 0) continue;
        const onRequest = async (_: unknown, reply: FastifyReply) => {
          throw refusal(reply, address);
        };
        app.route({ method, url: address.url, onRequest, handler: () => undefined });
      }
    },
  };
}

/**
 * Returns the methods that an address refuses, but that another pattern would accept for it. For example, the pattern
 * `/keys/:keyId` would accept a DELETE for the address `/keys/current`.
 */
function takenByOthers({ url, parts, accepted }: Address, addresses: ReadonlyMap<string, Address>): HTTPMethods[] {
  const others = [...addresses.values()].filter((other) => other.url !== url && matches(other, parts));
  return methods.filter((method) => !accepted.has(method) && others.some((other) => other.accepted.has(method)));
}

function refusal(reply: FastifyReply, { accepted }: Address): ServiceError {
  const allow = [...accepted].toSorted().join(', ');
  reply.header('allow', allow);
  return new ServiceError('method_not_allowed', `This address accepts only ${allow}.`);
}

/** Returns the number of variable parts of an address, or infinity if it ends with a wildcard. */
const variableParts = ({ parts }: Address): number =>
  parts.at(-1) === '*' ? Infinity : parts.filter((part) => part.startsWith(':')).length;

function matches({ parts }: Address, path: readonly string[]): boolean {
  const fits = (part: string, n: number) => part === path[n] || part.startsWith(':') || part === '*';
  return (parts.at(-1) === '*' ? path.length >= parts.length : path.length === parts.length) && parts.every(fits);
}
