import { createHash } from 'node:crypto';
import { readableOn } from './accent.ts';
import { type Html, html } from './html.ts';
import { time } from './incident-entry.ts';
import { roundedTime } from './rounded-time.ts';
import { script } from './script.ts';
import { darkGround, lightGround, style } from './style.ts';
import type { Masthead, PageLinks } from './view.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const [styleDigest, scriptDigest] = [sha256(style), sha256(script)];

// Style and script are inserted without any change, because the content security policy has their digests.
const styleElement: Html = { html: `<style>${style}</style>` };
const scriptElement: Html = { html: `<script>${script}</script>` };

/** The settings of a page that its content security policy depends on. */
type Presented = Pick<Masthead, 'accentColor' | 'iconUrl'>;

/**
 * Returns the content security policy of a page. It allows only the page's own style and script, requests to this
 * server, and the icon.
 */
export const policyOf = ({ accentColor, iconUrl }: Presented): string =>
  [
    "default-src 'none'",
    `style-src ${styleDigest}${accentColor === null ? '' : ` ${sha256(accentStyle(accentColor))}`}`,
    `script-src ${scriptDigest}`,
    "connect-src 'self'",
    `img-src data:${iconUrl === null ? '' : ` ${new URL(iconUrl).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * Returns the style for the accent colour on light and on dark backgrounds. It uses the given colour if text in that
 * colour is readable, and otherwise the nearest readable colour.
 */
function accentStyle(colour: string): string {
  const [light, dark] = [readableOn(lightGround, colour), readableOn(darkGround, colour)];
  return `:root{--accent:${light}}@media(prefers-color-scheme:dark){:root{--accent:${dark}}}`;
}

export interface Document {
  masthead: Masthead;
  title: string;
  /** The tab's icon, as a `data:` address. */
  tabIcon: string;
  madeAt: number;
  links: PageLinks;
  /**
   * Whether this is the main page. Its heading links to the owner's home page. The headings of the other pages link to
   * the main page.
   */
  isMain: boolean;
  /** The content between header and footer. */
  parts: Iterable<Html>;
}

/** Returns a whole document in pieces, so that other work can run while a long document is written. */
export function* documentParts({ masthead, title, tabIcon, madeAt, links, isMain, parts }: Document): Generator<Html> {
  const { name, description, accentColor } = masthead;
  // Elements that span several pieces are plain strings. In a template, the code formatter would close them at once.
  yield { html: '<!doctype html><html lang="en">' };
  yield html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    ${description === null ? null : html`<meta name="description" content="${description}" />`}
    <link rel="icon" href="${tabIcon}" />
    <link rel="alternate" type="application/atom+xml" href="${links.feed}" title="Incidents" />
    ${styleElement}${accentColor === null ? null : { html: `<style>${accentStyle(accentColor)}</style>` }}
  </head>`;
  yield { html: '<body><main>' };
  yield html`<header>
    ${icon(masthead)}
    <div>
      <h1>${heading(name, isMain ? masthead.homeUrl : links.self)}</h1>
      ${description === null ? null : html`<p dir="auto">${description}</p>`}
    </div>
  </header>`;
  yield* parts;
  yield html`<footer>
    <p>
      As of <span class="made">${time(roundedTime(madeAt))}</span>.
      <span class="zone">Times and days are in UTC.</span>
    </p>
    <p class="links">
      ${isMain ? null : html`<a href="${links.self}">Current status</a>`} <a href="${links.base}/history">History</a>
      <a href="${links.feed}">Feed</a> <a href="${links.json}">JSON</a> <a href="${links.badge}">Badge</a>
    </p>
  </footer>`;
  yield { html: '</main>' };
  yield scriptElement;
  yield { html: '</body></html>' };
}

// The size is given so that the layout does not move when the icon loads. The icon has no alternative text because the
// name is beside it.
const icon = ({ iconUrl }: Masthead): Html | null =>
  iconUrl === null ? null : html`<img src="${iconUrl}" alt="" width="40" height="40" />`;

const heading = (name: string, address: string | null): Html =>
  address === null ? html`<bdi>${name}</bdi>` : html`<a href="${address}"><bdi>${name}</bdi></a>`;
