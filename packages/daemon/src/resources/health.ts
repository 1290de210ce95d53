import type { Handler } from './handler.ts';

export const getHealth: Handler<'getHealth'> = async (request, backend) => {
  const { reason, warnings } = await backend.health();
  if (reason !== null) request.setStatus(503);
  return { status: reason === null ? 'ok' : 'unavailable', version: backend.version, reason, warnings };
};
