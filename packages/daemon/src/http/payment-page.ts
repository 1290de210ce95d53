import { createHash } from 'node:crypto';
import type { Order } from '../billing/provider.ts';
import { sandboxCards } from '../billing/sandbox-events.ts';
import { type Html, html } from '../status-page/html.ts';

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:32rem;margin:8vh auto;padding:0 1rem}' +
  'label,input,button{display:block;font:inherit}' +
  'input{width:100%;box-sizing:border-box;padding:.5rem;margin:.25rem 0 1rem}' +
  'button{padding:.5rem 1rem;cursor:pointer}' +
  '[role=alert]{font-weight:600}' +
  'dt{font-family:ui-monospace,monospace;margin-top:.5rem}dd{margin:0 0 0 1rem}';

/**
 * The content security policy of these pages. It allows no scripts, and only the style above. Forms may send only to
 * this site.
 */
export const paymentPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const cancelForm = html`<form method="post">
  <button name="action" value="cancel">Cancel the present subscription</button>
</form>`;

/** Returns the page where people pay for an order. The page lists the test cards. */
export const paymentPage = (
  { plan, email }: Order,
  { subscribed, declined }: { subscribed: boolean; declined: string | null },
): string =>
  page(
    `Pay for ${plan.name}`,
    html`<p>This is a sandbox: no money moves. Do not enter a real card.</p>
      <p>${plan.name} for ${email}: <strong>${plan.price.toFixed(2)} USD</strong> a month.</p>
      ${declined === null ? null : html`<p role="alert">${declined}</p>`}
      <form method="post">
        <label for="card">Card number</label>
        <input id="card" name="card" inputmode="numeric" autocomplete="off" required value="4242 4242 4242 4242" />
        <button name="action" value="pay">Pay</button>
      </form>
      <h2>Test cards</h2>
      <dl>
        ${Object.entries(sandboxCards).map(
          ([number, what]) =>
            html`<dt>${grouped(number)}</dt>
              <dd>${what}</dd>`,
        )}
      </dl>
      ${subscribed ? cancelForm : null}`,
  );

/** Returns the page that replaces the payment page after the order is paid. It offers to cancel the subscription. */
export const paidPage = ({ subscribed }: { subscribed: boolean }): string =>
  page(
    'Already paid',
    html`<p>This payment was already made. \`uptime billing subscription\` shows the plan.</p>
      ${subscribed ? cancelForm : null}`,
  );

/** Returns a page with a title and one message. */
export const messagePage = (title: string, text: string): string => page(title, html`<p>${text}</p>`);

const grouped = (number: string) => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

// The style is inserted without any change, because the content security policy has its digest.
const styleElement: Html = { html: `<style>${style}</style>` };

const page = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.html;
