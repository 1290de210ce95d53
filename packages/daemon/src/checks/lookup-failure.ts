import { CheckFailure } from './failure.ts';

/** Returns the failure for an error code of c-ares. `server` is the monitor's own name server, or null. */
export function lookupFailure(code: string, name: string, server: string | null): CheckFailure {
  const who = server === null ? 'the resolver' : `name server ${server}`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EBADNAME':
    case 'ENONAME':
      return new CheckFailure('dns_not_found', `the name ${name} does not exist`);
    case 'ENODATA':
      return new CheckFailure('dns_no_data', `${name} has no record of this type`);
    case 'ESERVFAIL':
    case 'ENOTIMP':
      return new CheckFailure('dns_server_failure', `${who} could not look up ${name} (${code.slice(1)})`);
    case 'EREFUSED':
      return new CheckFailure('dns_refused', `${who} refused to answer for ${name}`);
    case 'ECONNREFUSED':
      return new CheckFailure('dns_refused', `${who} refused the connection`);
    case 'ETIMEOUT':
      return new CheckFailure('dns_timeout', `${who} did not answer the query for ${name} in time`);
    case 'EBADRESP':
    case 'EFORMERR':
    case 'EOF':
    case 'EBADSTR':
    case 'EBADFAMILY':
      return new CheckFailure('dns_bad_response', `${who} gave an invalid answer for ${name} (${code})`);
    default:
      return new CheckFailure('internal', `looking up ${name} failed (${code || 'no code'})`);
  }
}
