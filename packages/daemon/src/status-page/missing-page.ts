import { type Html, html } from './html.ts';
import { tabIcon } from './icons.ts';
import { style } from './style.ts';

/** What a person sees who asks for a status page, or a part of one, that is not there. */
export const missingPage = (home: string | null): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Not found</title>
        <link rel="icon" href="${tabIcon('unknown')}" />
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>This page does not exist</h1>
          <p>The address may be mistyped, or the page may have been removed or renamed.</p>
          ${home === null ? null : html`<p><a href="${home}">Current status</a></p>`}
        </main>
      </body>
    </html> `.html;

// As it is, to the byte: the policy names its digest.
const styleElement: Html = { html: `<style>${style}</style>` };
