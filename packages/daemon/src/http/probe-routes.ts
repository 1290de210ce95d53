import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { validate, faultAt } from '@uptime/sdk/contract';
import type { z } from 'zod';
import type { Clock } from '../deps.ts';
import { invalid, ServiceError } from '../errors.ts';
import {
  anyProbeCall,
  maxResults,
  oldestProbeProtocol,
  probeProtocol,
  resultsCall,
  syncCall,
} from '../probe-protocol.ts';
import type { ProbeCaller } from '../probes/sync.ts';
import type { ProbeHost } from '../probes/probe-host.ts';
import { createProbeLimits } from './probe-routes-limits.ts';
import { createRateLimit } from './rate-limit.ts';
import { networkOf } from './network-of.ts';
import type { WorkUnderWay } from './work-under-way.ts';

/** Maximum number of calls with invalid tokens that one network may make in a minute. */
const maxRefusedAMinute = 60;

/**
 * Maximum numbers of names and values in the largest batch of results. A result has at most 31 fields, including its
 * timings and certificate.
 */
const maxBatch = { names: maxResults * 31 + 100, values: maxResults * 33 + 100 };

/** Adds the routes that probes call (see probe-protocol.ts). They are not part of the public API. */
export function addProbeRoutes(
  api: FastifyInstance,
  host: ProbeHost,
  { clock, underWay }: { clock: Clock; underWay: WorkUnderWay['add'] },
): void {
  const callers = new WeakMap<FastifyRequest, ProbeCaller>();
  const limits = createProbeLimits(clock);
  const throttleRefused = createRateLimit(clock, maxRefusedAMinute);

  // This check runs before the body is read, so that the server does not read the long body of a caller without a
  // token.
  const admit = async (request: FastifyRequest, name: 'sync' | 'results') => {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const caller = await host.findToken(token);
    if (!caller) {
      throttleRefused(networkOf(request.ip));
      throw host.revoked();
    }
    limits.call[name](caller.id);
    callers.set(request, caller);
  };

  const add = <T extends z.ZodType>(
    name: 'sync' | 'results',
    schema: T,
    run: (caller: ProbeCaller, call: z.output<T>, gone: AbortSignal) => Promise<object>,
  ) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.body === undefined) throw invalid([faultAt('', 'no_body')]);
      refuseOtherProtocol(request.body);
      const parsed = validate(schema, request.body);
      if (!parsed.ok) throw invalid(parsed.faults);
      const gone = new AbortController();
      const leave = () => gone.abort();
      reply.raw.once('close', leave);
      try {
        const body = await run(callers.get(request)!, parsed.value, gone.signal);
        return await reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
      } finally {
        reply.raw.off('close', leave);
      }
    };
    api.route({
      method: 'POST',
      url: `/api/probe/${name}`,
      config: { bodySize: maxBatch },
      onRequest: (request) => underWay(admit(request, name)),
      handler: (request, reply) => underWay(answer(request, reply)),
    });
  };

  add('sync', syncCall, (caller, call, gone) => host.sync(caller, call, gone));
  add('results', resultsCall, (caller, call) => {
    // The name of the probe is in the body, so this count comes after the body is read.
    limits.batch(caller.id, call.probe);
    return host.takeResults(caller, call);
  });
}

/** Refuses a probe whose version of the protocol this server does not speak. The message says what to update. */
function refuseOtherProtocol(body: unknown): void {
  const parsed = anyProbeCall.safeParse(body);
  if (!parsed.success) return;
  const { protocol } = parsed.data;
  if (protocol >= oldestProbeProtocol && protocol <= probeProtocol) return;
  const spoken =
    oldestProbeProtocol < probeProtocol
      ? `versions ${oldestProbeProtocol} to ${probeProtocol}`
      : `version ${probeProtocol}`;
  const next = protocol > probeProtocol ? 'update the server, or start' : 'start';
  throw new ServiceError(
    'conflict',
    `This probe speaks version ${protocol} of the probe protocol, but this server speaks ${spoken}: ${next} the probe with the server's version of uptimed.`,
  );
}
