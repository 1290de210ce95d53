import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { id, timestamp } from './fields.ts';
import { regionName } from './monitor-types/common-fields.ts';

const dayMs = 24 * 3_600_000;
/** The server forgets a silent probe after this time if another probe with its token is live. In milliseconds. */
export const silentProbeKeptMs = dayMs;
/**
 * The server keeps a probe for this longer time if the probe had a backlog of results at its last report. If a
 * forgotten probe returns, the server refuses its backlog. In milliseconds.
 */
export const probeWithBacklogKeptMs = 7 * dayMs;
/**
 * Results that wait for longer than this are a backlog. Younger results wait only because a probe gathers them. In
 * milliseconds.
 */
export const probeBacklogMs = 60_000;

export const probe = z
  .object({
    name: z
      .string()
      .describe('A digest of the secret name that the probe gave itself. The probe logs this digest when it starts.'),
    version: z.string(),
    live: z.boolean().describe('Whether the probe reported within the last 30 seconds.'),
    lastSeenAt: timestamp,
    leftAt: timestamp.nullable().describe('When the probe was stopped; null while it runs, and after a crash.'),
    queued: z.int().min(0).describe('Results that the probe has not sent yet.'),
    lagSeconds: z
      .number()
      .min(0)
      .describe('Age of the oldest waiting result when the probe last reported, in seconds; 0 if no result waited.'),
    clockSkewSeconds: z
      .number()
      .nullable()
      .describe(
        "Seconds by which the clock of the probe's machine is ahead of the server's clock. The probe corrects the times of its results.",
      ),
    fault: z
      .string()
      .nullable()
      .describe('Why the probe cannot check now. Only the operator gets the reason; others get a general text.'),
  })
  .meta({ id: 'Probe' });

const fields = {
  id: id('prb', 'token'),
  region: z.string(),
  createdAt: timestamp,
  probes: z.array(probe).describe('The probes that joined with this token.'),
};
export const probeToken = z.object(fields).meta({ id: 'ProbeToken' });
export const newProbeToken = z
  .object({ ...fields, token: z.string().describe('Shown only in this response. Only its digest is stored.') })
  .meta({ id: 'NewProbeToken' });
export const probeTokenInput = z
  .strictObject({ region: regionName.describe('The region from which probes with this token check.') })
  .meta({ id: 'ProbeTokenInput' });

export const probeEndpoints = endpoints({
  listProbes: {
    method: 'GET',
    path: '/probes',
    access: 'admin',
    status: 200,
    summary: 'List the tokens of probes, each with the probes that joined with it.',
    response: z.array(probeToken),
  },
  addProbe: {
    method: 'POST',
    path: '/probes',
    access: 'admin',
    status: 201,
    summary: 'Create a token with which probes join a region.',
    body: probeTokenInput,
    response: newProbeToken,
    errors: ['conflict'],
  },
  revokeProbe: {
    method: 'DELETE',
    path: '/probes/:probeId',
    access: 'admin',
    status: 204,
    summary: 'Revoke a token at once. The probes that joined with it lose their access.',
    response: null,
  },
});
