import { ServiceError } from '../errors.ts';
import { channelWarnings } from './channels/warnings.ts';
import type { Handler } from './handler.ts';

export const getHealth: Handler<'getHealth'> = async (_, backend) => {
  const { reason, warnings } = await backend.health();
  if (reason !== null) {
    // Its store may be what is wrong: it is asked nothing more.
    throw new ServiceError('unavailable', reason, { members: { version: backend.version, reason, warnings } });
  }
  const all = [...warnings, ...(await channelWarnings(backend))];
  return { status: 'ok', version: backend.version, reason, warnings: all };
};
