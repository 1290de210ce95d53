import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { Backend } from '../resources/handler.ts';
import { readApiKey } from '../resources/secrets.ts';
import { readServerMetrics } from '../resources/server-metrics.ts';
import { isForSite } from './pages.ts';
import { prometheusText } from './prometheus-text.ts';

/** Adds `GET /metrics`, which returns the state of the server. Prometheus can read it for the operator. */
export function addMetrics(app: FastifyInstance, backend: Backend): void {
  app.get('/metrics', async (request, reply) => {
    const { headers } = request;
    if (!isForSite(request.hostname, backend)) return reply.callNotFound();
    if (!(await backend.isOperator(headers))) {
      const hasCredential = readApiKey(headers) !== null || backend.accounts.hasCookie(headers);
      throw new ServiceError(hasCredential ? 'forbidden' : 'unauthenticated', forStrangers);
    }
    const text = prometheusText(await readServerMetrics(backend));
    return reply.header('cache-control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}

const forStrangers =
  "Metrics are only for admins of this server. Send the API key of an admin's project, such as `authorization: Bearer uptime_…`.";
