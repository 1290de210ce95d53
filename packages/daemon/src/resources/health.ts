import { systemClock } from '../deps.ts';
import { ServiceError } from '../errors.ts';
import { answeredInTime } from './answered-in-time.ts';
import { channelWarnings } from './channels/warnings.ts';
import type { Backend, Handler } from './handler.ts';

/** The store must return the warnings within this time, so that `/healthz` always answers within a second. */
const limitMs = 400;

/** Says whether the daemon can serve. Only the operator also gets the reason, the roles and the warnings. */
export const getHealth: Handler<'getHealth'> = async ({ headers }, backend) => {
  const { version, roles } = backend;
  const isOperator = await backend.isOperator(headers);
  const reason = backend.health.reason();
  if (reason !== null) {
    if (!isOperator) throw new ServiceError('unavailable', forStrangers, { members: { version } });
    throw new ServiceError('unavailable', reason, {
      members: { version, reason, roles, warnings: await warningsOf(backend) },
    });
  }
  if (!isOperator) return { status: 'ok', version };
  return { status: 'ok', version, reason, roles: [...roles], warnings: await warningsOf(backend) };
};

const forStrangers =
  "This server cannot serve now. Its log has the reason. An admin also gets it at this address, with their session or their project's API key.";

/**
 * Resolves with warnings about all parts of the daemon that do not work. Never throws, and takes at most half a second.
 */
export const warningsOf = (backend: Backend): Promise<string[]> =>
  answeredInTime(
    systemClock,
    Promise.all([backend.health.warnings(), channelWarnings(backend)]).then((found) => found.flat()),
    limitMs,
    () => ['The store did not answer in time, so some warnings may be missing.'],
  );
