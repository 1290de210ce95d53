import { CheckFailure } from '../checks/failure.ts';

/** Null when a name or record does not exist, which is an answer. Throws every other failure on. */
export function noneIfAbsent(error: unknown): null {
  if (error instanceof CheckFailure && ['dns_not_found', 'dns_no_data'].includes(error.code)) return null;
  throw error;
}
