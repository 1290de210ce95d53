import { createHash } from 'node:crypto';
import { readableOn } from './accent.ts';
import { type Html, html } from './html.ts';
import { time } from './incident-entry.ts';
import { script } from './script.ts';
import { darkGround, lightGround, style } from './style.ts';
import type { Masthead, PageLinks } from './view.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const [styleDigest, scriptDigest] = [sha256(style), sha256(script)];

// As they are, to the byte: the policy names their digests.
const styleElement: Html = { html: `<style>${style}</style>` };
const scriptElement: Html = { html: `<script>${script}</script>` };

/** Of a page, how it presents itself. */
type Presented = Pick<Masthead, 'accentColor' | 'iconUrl'>;

/** Only the page's own style and script run, and nothing is loaded from anywhere but here and where its icon is. */
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

/** The colour itself where text in it can be read, else the nearest that can, on light and on dark ground. */
function accentStyle(colour: string): string {
  const [light, dark] = [readableOn(lightGround, colour), readableOn(darkGround, colour)];
  return `:root{--accent:${light}}@media(prefers-color-scheme:dark){:root{--accent:${dark}}}`;
}

export interface Document {
  masthead: Masthead;
  title: string;
  /** Its icon in the tab, as a `data:` address. */
  tabIcon: string;
  madeAt: number;
  links: PageLinks;
  /** Whether this is the page itself, whose name leads home; the name of another part leads to the page. */
  isMain: boolean;
  /** What stands between the head and the foot. */
  parts: Iterable<Html>;
}

/** The page is the same, to the byte, for so many milliseconds in which nothing happens. */
const sameFor = 10_000;
export const roundedTime = (at: number): number => at - (at % sameFor);

/** A whole document, in parts, so that a long one can be written without holding up anybody else. */
export function* documentParts({ masthead, title, tabIcon, madeAt, links, isMain, parts }: Document): Generator<Html> {
  const { name, description, accentColor } = masthead;
  // Elements that other pieces stand in are opened and closed by hand: the formatter would close them in their template.
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

// The size is said so that nothing moves when it comes; it tells nothing that the name does not.
const icon = ({ iconUrl }: Masthead): Html | null =>
  iconUrl === null ? null : html`<img src="${iconUrl}" alt="" width="40" height="40" />`;

const heading = (name: string, address: string | null): Html =>
  address === null ? html`<bdi>${name}</bdi>` : html`<a href="${address}"><bdi>${name}</bdi></a>`;
