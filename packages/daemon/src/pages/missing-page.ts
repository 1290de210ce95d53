import { html } from '../status-page/html.ts';
import { document } from './document.ts';

/** A link on the page for an unknown address. It leads to a page that exists. */
export interface WayOut {
  href: string;
  label: string;
}

/** Returns the page for an unknown address. */
export const missingPage = (wayOut: WayOut | null): string =>
  document(
    'This page does not exist',
    html`<h1>This page does not exist</h1>
      <p>The address may be mistyped or incomplete, or the page may have been removed or renamed.</p>
      ${wayOut === null ? null : html`<p><a href="${wayOut.href}">${wayOut.label}</a></p>`}`,
  );
