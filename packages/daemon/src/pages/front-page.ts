import { html } from '../status-page/html.ts';
import { document } from './document.ts';

export interface FrontPage {
  siteUrl: string;
  version: string;
  /** Whether the server can do its work. If not, the page does not show why, because strangers may read the page. */
  isWell: boolean;
}

/** Returns the page at the server's address. */
export const frontPage = ({ siteUrl, version, isWell }: FrontPage): string =>
  document(
    'uptime',
    html`<h1>uptime</h1>
      <div class="state ${isWell ? 'good' : 'bad'}">
        <p>${isWell ? '✓ This server is working.' : '✕ This server has a problem.'}</p>
      </div>
      <p>
        This is version ${version} of uptime: monitoring that people run themselves and keep in code. It checks
        websites, names, ports and jobs, and tells people when one fails.
      </p>
      <h2>First steps on the command line</h2>
      <pre>${firstSteps(siteUrl)}</pre>
      <p>If you have an account already, use <code>uptime login</code> in place of <code>uptime signup</code>.</p>
      <h2>Further reading</h2>
      <ul>
        <li>
          <code>uptime help</code> lists every command. The manual is the folder <code>docs</code> of the program.
        </li>
        <li><a href="${siteUrl}/api/openapi.json">The API</a>, as OpenAPI 3.1</li>
        <li><a href="${siteUrl}/healthz">The health of this server</a>, for programs</li>
      </ul>`,
  );

const firstSteps = (siteUrl: string): string =>
  [
    `curl -fsS ${siteUrl}/install.sh | sh`,
    `export UPTIME_SITE_URL=${siteUrl}`,
    'uptime signup --email you@example.com',
    'uptime monitors create --type http --name Shop --url https://shop.example.com/',
    'uptime monitors list',
  ].join('\n');
