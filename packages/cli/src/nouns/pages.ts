import type { StatusPage } from '@uptime/sdk';
import { fieldFlags } from '../flags/field-flags.ts';
import { monitorsFlag, readMonitors } from '../flags/reference-flags.ts';
import { plain } from '../output.ts';
import { pageFlags } from '../flags/fields/pages.ts';
import type { Noun } from './noun.ts';
import { showResource } from './show-resource.ts';

export const pages = {
  word: 'pages',
  one: 'status page',
  many: 'status pages',
  argument: ['page', 'its id, key, slug or name'],

  async find(word, { client, signal }): Promise<StatusPage> {
    const { find } = await import('./find.ts');
    return find<StatusPage>(word, pages, {
      by: 'id, key, slug or name',
      alias: ({ slug }) => slug,
      prefix: 'pag_',
      list: (query) => client.statusPages.list(query, { signal }),
    });
  },
  async show(page, shown, connection) {
    const { io } = connection;
    if (shown.quiet || shown.format !== 'table') return showResource(io, page, shown);
    const { monitorIds, domain, ...rest } = page;
    const { readNamesById } = await import('./read-names-by-id.ts');
    const nameOf = monitorIds.length > 0 ? await readNamesById(['monitors'], connection) : String;
    const inTable = { ...rest, domain: domain && describeDomain(domain), monitors: monitorIds.map(nameOf) };
    return showResource(io, page, shown, inTable);
  },
  calls: ({ statusPages }) => statusPages,
  fields: {
    flags: pageFlags,
    declare(command, isNew) {
      fieldFlags(command, pageFlags, isNew);
      monitorsFlag(command, 'monitors on the page, in this order');
    },
    members: (flags) => ({ monitors: readMonitors(flags) }),
    rules: async () => (await import('../kinds/status-page.ts')).statusPageRules,
  },

  list: {
    summary: 'list the status pages of the project',
    examples: ['pages list', 'pages list -o json'],
    read: ({ client, signal }) => client.statusPages.list({}, { signal }),
    empty: 'No status pages yet. `uptime pages create` creates one.',
    columns: () => [
      { title: 'NAME', value: ({ name }) => name, cut: true },
      { title: 'SLUG', value: ({ slug }) => slug, cut: true },
      { title: 'MONITORS', value: ({ monitorIds }) => String(monitorIds.length) },
      {
        title: 'DOMAIN',
        value: ({ customDomain, domain }) => (customDomain ? `${customDomain}, ${domain?.status}` : '-'),
      },
      { title: 'ID', value: ({ id }) => id, wide: true },
      { title: 'ADDRESS', value: ({ url }) => url, cut: true },
    ],
  },
  get: {
    summary: 'show one status page with its address and the state of its domain',
    examples: ['pages get shop', 'pages get shop -o yaml'],
  },
  create: {
    summary: 'create a public status page; on a terminal, asks for missing fields',
    examples: [
      'pages create --name Shop --slug shop --monitors shop,nightly-backup',
      'pages create --name Shop --slug shop-status --monitors shop --custom-domain status.example.com',
    ],
  },
  update: {
    summary: 'change fields of a status page; other fields stay unchanged',
    examples: ['pages update shop --monitors nightly-backup,shop', 'pages update shop --unset custom-domain'],
    such: '--monitors shop',
  },
  delete: {
    summary: 'delete a status page, and free its address',
    examples: ['pages delete shop --yes', 'pages delete shop --yes --quiet'],
    loses: ({ url }) => ` at ${plain(url)}`,
    printed: ({ id, name }) => ({ id, name }),
  },
} as const satisfies Noun<StatusPage>;

/**
 * Describes the state of a custom domain, with the DNS records that are missing, such as `pending; set its CNAME to
 * status.example`.
 */
export function describeDomain(domain: NonNullable<StatusPage['domain']>): string {
  const { status, error, cname } = domain;
  if (status === 'active') return status;
  const statusText = `${status}${error ? `: ${error}` : ''}`;
  // Servers of an earlier version return neither `apex` nor `txt`.
  const txt = domain.txt as typeof domain.txt | undefined;
  if (domain.apex && txt) {
    const records = `it cannot have a CNAME: set an ALIAS record to ${cname}, or A and AAAA records with its addresses`;
    return error === null
      ? `${statusText}; ${records}, and a TXT record ${txt.name} with the value "${txt.value}"`
      : statusText;
  }
  // An error shows which record is missing. If it is the CNAME, the error contains the host of this server. If it is
  // the TXT record, the error contains the name of that record.
  const lacksTxt = txt ? error?.includes(txt.name) : false;
  const lacksCname = error === null || (error.includes(cname) && !lacksTxt);
  return lacksCname ? `${statusText}; set its CNAME to ${cname}` : statusText;
}
