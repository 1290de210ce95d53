import { unescape } from 'node:querystring';

const blotted = '••••';
/** Parts of an address that are shorter than this are words, not secrets. */
const longEnough = 12;

/** Blots secrets out of what a provider said, also where it says them in other forms or in part, as echoes do. */
export function createBlot(secrets: readonly string[]): { blot: (text: string) => string; longest: number } {
  const forms = [...new Set(secrets.flatMap(partsOf).flatMap(formsOf))]
    .filter((form) => form !== '')
    // A part must not be taken out of the whole: what is left of it would be read.
    .toSorted((a, b) => b.length - a.length);
  return {
    blot: (text) => forms.reduce((left, form) => left.replaceAll(form, blotted), text),
    longest: forms[0]?.length ?? 0,
  };
}

/** An address is secret in its parts too: servers like to say which path they don't know. */
function partsOf(secret: string): string[] {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  if (!url) return [secret];
  const { href, pathname, search, searchParams, username, password } = url;
  const parts = [`${pathname}${search}`, ...pathname.split('/'), search, ...searchParams.values()];
  return [secret, href, ...parts.filter((part) => part.length >= longEnough), username, password];
}

/** As it is, and as URLs, JSON and HTML write it. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const uri = encodeURIComponent(secret.toWellFormed());
  const forms = [uri, uri.replaceAll('%20', '+'), json, json.replaceAll('/', '\\/'), html, unescape(secret)];
  return [secret, ...forms, html.replaceAll('"', '&quot;').replaceAll("'", '&#39;')];
}
