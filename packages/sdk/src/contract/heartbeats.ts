import * as z from 'zod';
import { endpoints } from './endpoint.ts';

/** The largest metrics body, in bytes as received. */
export const maxMetricsBytes = 1024;

export const pinged = z
  .object({ ok: z.literal(true) })
  .meta({ id: 'Pinged', description: 'The ping is durably recorded.' });

const ping = { site: true, access: 'ping', ownRoute: true, response: pinged, status: 200 } as const;
const taken = ['not_found', 'unavailable'] as const;
const withBody = [
  'not_found',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'unavailable',
] as const;

export const heartbeatEndpoints = endpoints({
  ping: { ...ping, method: 'GET', path: '/ping/:token', summary: 'Record a ping.', errors: taken },
  pingWithMetrics: {
    ...ping,
    method: 'POST',
    path: '/ping/:token',
    summary: 'Record a ping, with metrics: a flat JSON object of at most 1 KB.',
    errors: withBody,
  },
  pingSignal: {
    ...ping,
    method: 'GET',
    path: '/ping/:token/:signal',
    summary: 'Report a run: `start` marks its start, `fail` a failure, 0 to 255 its exit code.',
    errors: taken,
  },
  pingSignalWithMetrics: {
    ...ping,
    method: 'POST',
    path: '/ping/:token/:signal',
    summary: 'Report a run, with metrics.',
    errors: withBody,
  },
});
