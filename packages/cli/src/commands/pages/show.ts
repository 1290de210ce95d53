import type { StatusPage, Uptime } from '@uptime/sdk';
import type { Io } from '../../io.ts';
import { readMonitorNames } from '../../nouns/monitor-names.ts';
import { showResource } from '../../nouns/show-resource.ts';
import { type Shown } from '../../flags/output-flags.ts';

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

/**
 * The state of a custom domain in words, with the DNS record that is missing:
 * `error: shop.example does not point here; set its CNAME to status.example`.
 */
export function tellDomain({ status, error, cname, txt }: NonNullable<StatusPage['domain']>): string {
  if (status === 'active') return status;
  const statusText = `${status}${error ? `: ${error}` : ''}`;
  // An error names the record that is missing, if any: a CNAME to this host, or the TXT record, name and value.
  // Servers of an earlier version name no TXT record.
  const lacksTxt = txt ? error?.includes(txt.name) : false;
  const lacksCname = error === null || (error.includes(cname) && !lacksTxt);
  return lacksCname ? `${statusText}; set its CNAME to ${cname}` : statusText;
}
