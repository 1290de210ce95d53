import { CheckFailure } from '../checks/failure.ts';

/** Returns null if a name or record does not exist, which is an answer. Throws every other failure again. */
export function noneIfAbsent(error: unknown): null {
  if (error instanceof CheckFailure && ['dns_not_found', 'dns_no_data'].includes(error.code)) return null;
  throw error;
}
