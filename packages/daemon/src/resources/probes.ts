import { ServiceError } from '../errors.ts';
import { restingProbes } from '../lifecycle/resting-probes.ts';
import { isServedByDaemon, listProbeTokens } from '../probes/known-probes.ts';
import { renderToken } from '../probes/render-probe.ts';
import { addProbeToken, revokeProbeToken } from '../probes/tokens.ts';
import { regionNumber } from '../lifecycle/regions.ts';
import type { Handler } from './handler.ts';
import { isoTime } from './iso-time.ts';

export const listProbes: Handler<'listProbes'> = async (_, { store, deps }) => {
  const now = deps.clock.now();
  const tokens = await listProbeTokens(store.db);
  const resting = restingProbes(
    tokens.flatMap(({ probes }) => probes),
    now,
  );
  return tokens.map((token) => renderToken(token, now, resting));
};

/** Adds a token for probes. Ignores an Idempotency-Key, because the stored answer would contain the token. */
export const addProbe: Handler<'addProbe'> = async ({ body }, { store, deps }) => {
  const now = deps.clock.now();
  const { createdAt, ...made } = await store.write(async (trx) => {
    if (await isServedByDaemon(trx, await regionNumber(trx, body.region), now))
      throw new ServiceError(
        'conflict',
        `The daemon itself checks from ${body.region}. Choose another region for the probe.`,
      );
    return addProbeToken(trx, body.region, now);
  });
  return { ...made, createdAt: isoTime(createdAt), probes: [] };
};

export const revokeProbe: Handler<'revokeProbe'> = async ({ params }, { store }) => {
  await revokeProbeToken(store, params.probeId);
};
