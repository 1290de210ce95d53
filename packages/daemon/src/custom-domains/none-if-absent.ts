import { CheckFailure } from '../checks/failure.ts';

/** Returns null if a DNS lookup failed because the name or record does not exist. Throws every other error again. */
export function noneIfAbsent(error: unknown): null {
  if (error instanceof CheckFailure && ['dns_not_found', 'dns_no_data'].includes(error.code)) return null;
  throw error;
}
