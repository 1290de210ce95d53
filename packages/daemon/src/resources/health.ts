import { channelWarnings } from './channels/warnings.ts';
import type { Handler } from './handler.ts';

export const getHealth: Handler<'getHealth'> = async (request, backend) => {
  const { reason, warnings } = await backend.health();
  if (reason !== null) {
    // Its store may be what is wrong: it is asked nothing more.
    request.setStatus(503);
    return { status: 'unavailable', version: backend.version, reason, warnings };
  }
  const all = [...warnings, ...(await channelWarnings(backend))];
  return { status: 'ok', version: backend.version, reason, warnings: all };
};
