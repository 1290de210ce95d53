import * as z from 'zod';
import { fieldFacts, key, labels, managedBy, name, whole } from '../fields.ts';

/** The largest values of fields that every type has. A type may allow a longer interval. */
export const maxIntervalSeconds = 86_400;
export const maxTimeoutSeconds = 120;
export const maxRetries = 5;

/** A name of a place that checks run from. */
export const regionName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'a region name: a-z 0-9 -' });

/** The input fields that every type of monitor has. `timeoutSeconds` is the default timeout of the type. */
export const commonFields = (timeoutSeconds: number) => ({
  key,
  managedBy,
  name,
  description: z.string().max(2000).nullable().default(null).describe('Your own notes.'),
  labels: labels.default({}),
  interval: whole(1, maxIntervalSeconds)
    .default(60)
    .describe('Seconds between checks.')
    .register(fieldFacts, { unit: 'seconds' }),
  timeout: whole(1, maxTimeoutSeconds)
    .default(timeoutSeconds)
    .describe('Maximum seconds that a check may take.')
    .register(fieldFacts, { unit: 'seconds' }),
  retries: whole(0, maxRetries).default(0).describe('Quick re-checks before a check counts as failed.'),
  regions: z.array(regionName).max(50).nullable().default([]).describe('Regions that run the check; empty for all.'),
  paused: z
    .boolean()
    .default(false)
    .describe('Whether the monitor is paused: no checks, no alerts, not counted in uptime.'),
});

export type CommonFields = ReturnType<typeof commonFields>;

/** The domain alert opens this many days before a domain expires, unless the monitor sets its own threshold. */
export const defaultDomainExpiryThreshold = 30;
