import type { FastifyInstance } from 'fastify';
import type { Role } from '../core/roles.ts';
import { ServiceError } from '../errors.ts';

/** Refuses every request except `/healthz` and `/metrics`, on a node that does not serve the API. */
export function answerOnlyHealth(app: FastifyInstance, roles: readonly Role[]): void {
  const why = `This node serves no API: its roles are ${roles.join(', ')}. Send requests to a node with the role api.`;
  app.addHook('onRequest', async (request) => {
    if (!answered.includes(request.url.split('?')[0]!)) throw new ServiceError('unavailable', why);
  });
}

const answered = ['/healthz', '/metrics'];
