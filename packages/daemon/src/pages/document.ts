import { createHash } from 'node:crypto';
import { type Html, html } from '../status-page/html.ts';

/**
 * The style of the pages in this folder. Each colour comes with a mark such as ✓, for readers who cannot see colours.
 */
const style = `
:root{color-scheme:light dark;--bg:#fff;--ink:#1a1d21;--soft:#57606c;--line:#e1e5ea;--card:#f6f8fa;--link:#2d5fc4;--good:#1a7f4b;--bad:#c62828;--warning:#8a5200}
@media(prefers-color-scheme:dark){:root{--bg:#111418;--ink:#e8ebef;--soft:#a3adb8;--line:#2a3037;--card:#191e24;--link:#8fb0ff;--good:#5bcf96;--bad:#ff8a82;--warning:#f0a63c}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1rem}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 1rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
p{margin:.5rem 0}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:2px}
.state{--c:var(--soft);padding:1rem 1.25rem;border-radius:.75rem;border-left:.375rem solid var(--c);background:var(--card)}
.state.good{--c:var(--good)}.state.bad{--c:var(--bad)}.state.warning{--c:var(--warning)}
.state p{margin:0}.state p:first-child{font-size:1.25rem;font-weight:600;color:var(--c)}
dl{margin:1.5rem 0 0}dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.625rem 0;border-top:1px solid var(--line)}
dt{flex:0 0 9rem;color:var(--soft)}dd{flex:1 1 14rem;min-width:0;margin:0}
pre{margin:.5rem 0;padding:1rem;border-radius:.75rem;background:var(--card);white-space:pre-wrap;font:.875rem/1.6 ui-monospace,monospace}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem;color:var(--soft);font-size:.875rem}
@media(max-width:40rem){main{padding-top:1.5rem}}
`.replaceAll('\n', '');

/** The content security policy of these pages. It allows their style and inline images, and forbids everything else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The style is inserted without any change, because the content security policy has its digest.
const styleElement: Html = { html: `<style>${style}</style>` };

/** Returns a whole page as HTML. It asks search engines not to index the page. */
export const document = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`.html;

/** Returns a time in UTC, to the second. */
export const time = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
};
