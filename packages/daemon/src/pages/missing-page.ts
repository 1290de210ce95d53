import { html } from '../status-page/html.ts';
import { document } from './document.ts';

/** What people see at an address that leads nowhere. */
export const missingPage = (siteUrl: string): string =>
  document(
    'There is nothing here',
    html`<h1>There is nothing at this address.</h1>
      <p>It may be mistyped or incomplete, or what was here is gone.</p>
      <p><a href="${siteUrl}/">To the front page</a></p>`,
  );
