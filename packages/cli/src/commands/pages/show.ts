import type { StatusPage, Uptime } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { readMonitorNames } from '../monitor-names.ts';
import { type Shown, showResource } from '../show.ts';

/** Prints a status page with all its fields, or only its id. A table names its monitors. */
export async function showPage(
  io: Io,
  page: StatusPage,
  shown: Shown,
  { client, signal }: { client: Uptime; signal: AbortSignal },
): Promise<void> {
  if (shown.quiet || shown.format !== 'table') return showResource(io, page, shown);
  const { monitorIds, domain, ...rest } = page;
  const nameOf = monitorIds.length > 0 ? await readMonitorNames(client, signal) : String;
  const inTable = { ...rest, domain: domain && tellDomain(domain), monitors: monitorIds.map(nameOf) };
  return showResource(io, page, shown, inTable);
}

/** The state of a custom domain in words: `pending: the name does not point here; expected a CNAME to status.example`. */
export function tellDomain({ status, error, cname }: NonNullable<StatusPage['domain']>): string {
  if (status === 'active') return status;
  return `${status}${error ? `: ${error}` : ''}; set its CNAME to ${cname}`;
}
