import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type MonitorFields, replaceAddressSecrets, secretMask } from '@uptime/sdk/contract';
import { certificateFailure, readCertificate } from './certificate.ts';
import type { Check, SeenCertificate } from './check.ts';
import { dial } from './dial.ts';
import { describeExpected, namesRedirect, parseExpectedStatus, statusMatches } from './expected-status.ts';
import { CheckFailure } from './failure.ts';
import { headerText } from './header-text.ts';
import { drainBody, searchBody } from './http-body.ts';
import { firstHop, type Hop, isRedirect, maxRedirects, nextHop } from './http-redirects.ts';
import { exchange } from './http-request.ts';
import { asciiHost } from './resolver.ts';
import { conduct, elapsedMs, note, type Run } from './run.ts';
import { hideSecretsOf } from './secret-texts.ts';
import { secure } from './tls.ts';

/** Passes if the last response has an expected status, and its body contains the expected text, if there is one. */
export const checkHttp: Check<'http'> = (monitor, context) =>
  conduct(monitor.timeout, context, async (run) => {
    const expected = parseExpectedStatus(monitor.expectedStatus);
    const follows = !namesRedirect(expected);
    let hop: Hop | null = firstHop(monitor);
    for (let redirects = 0; hop !== null; redirects++) {
      note(run, `${hop.method} ${withoutTokens(hop.url)}`);
      const socket = await dial(run, hop.url.hostname, portOf(hop.url));
      try {
        const connection = hop.url.protocol === 'https:' ? await secured(run, socket, hop, monitor, redirects) : socket;
        const response: IncomingMessage = await exchange(run, connection, hop, monitor.bodyContains !== null);
        run.statusCode = response.statusCode ?? null;
        run.responseTime = elapsedMs(run);
        const status = response.statusCode ?? 0;
        const reason = headerText(response.statusMessage ?? '');
        // A redirect or an unusual status text may repeat secrets of the request, so texts are masked from here on.
        // Messages about other answers contain no text from the target, so masking would only cost time.
        if (isRedirect(status) || (reason !== '' && reason !== STATUS_CODES[status]))
          run.hide ??= hideSecretsOf(monitor);
        note(run, `answered ${status} ${reason}`);
        if (follows && isRedirect(status)) {
          if (redirects === maxRedirects)
            throw new CheckFailure(
              'http_redirect',
              `more than ${maxRedirects} redirects, the last from ${withoutTokens(hop.url)}`,
            );
          hop = nextHop(hop, status, response.headers, context.clock.now());
          continue;
        }
        if (!statusMatches(expected, status))
          throw new CheckFailure(
            'http_status',
            `answered ${`${status} ${reason}`.trim()}; expected ${describeExpected(monitor.expectedStatus)}`,
          );
        await judgeBody(run, response, hop, monitor.bodyContains);
        hop = null;
      } finally {
        socket.destroy();
      }
    }
  });

/**
 * Masks the tokens in an address. The address has no login, because `firstHop` and `nextHop` moved it into a header.
 */
const withoutTokens = ({ href }: URL): string => replaceAddressSecrets(href, () => secretMask);

const portOf = (url: URL) => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port));

/** Performs the TLS handshake. Records the certificate of the monitor's own address, not of a redirect's address. */
async function secured(run: Run, socket: Socket, hop: Hop, monitor: MonitorFields<'http'>, redirects: number) {
  const keep = (certificate: SeenCertificate | null) => {
    if (redirects === 0) run.certificate = certificate;
  };
  const host = asciiHost(hop.url.hostname);
  const tls = await secure(run, socket, host, keep);
  const certificate = readCertificate(tls, host);
  keep(certificate);
  const failure = certificate && certificateFailure(certificate);
  if (failure && monitor.verifyTls) throw failure;
  return tls;
}

async function judgeBody(run: Run, response: IncomingMessage, hop: Hop, wanted: string | null): Promise<void> {
  const bodiless = hop.method === 'HEAD' || response.statusCode === 101;
  if (wanted === null) return bodiless ? undefined : drainBody(run, response);
  const { found, size } = bodiless ? { found: false, size: 0 } : await searchBody(run, response, wanted);
  run.responseTime = elapsedMs(run);
  if (found) return;
  throw new CheckFailure('http_body_mismatch', `the body (${size} bytes read) does not contain the expected text`);
}
