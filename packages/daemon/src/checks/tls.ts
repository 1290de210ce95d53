import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import { note, type Run, spent } from './run.ts';
import { socketFailure } from './system-errors.ts';
import { isTlsError, tlsFailure } from './tls-failure.ts';

/** Makes the secure context on its first use, and then shares it. */
export function sharedSecureContext(): () => SecureContext {
  let context: SecureContext | null = null;
  return () => (context ??= createSecureContext());
}

/** `http/1.1` as ALPN has it on the wire: its length, then its name. */
const alpn = Buffer.from('\x08http/1.1', 'latin1');

/**
 * The TLS handshake over a connected socket. It completes whatever the certificate is worth, so that the certificate can
 * be read; whoever calls judges it. Throws a CheckFailure when there is no handshake to be had.
 */
export function secure(run: Run, socket: Socket, host: string): Promise<TLSSocket> {
  const from = run.context.clock.monotonic();
  return new Promise((resolve, reject) => {
    const tls = connect({
      socket,
      // The name that the certificate is held against; SNI is for names alone.
      host: host.replace(/\.$/, ''),
      servername: isIP(host) ? '' : host.replace(/\.$/, ''),
      secureContext: run.context.secureContext(),
      rejectUnauthorized: false,
      ALPNProtocols: alpn,
    });
    let certificateSeen = false;
    const settle = () => {
      run.deadline.interrupt = null;
      spent(run, 'tls', from);
    };
    // Keys exist once the server's certificate was received (in TLS 1.2, where it matters).
    tls.once('keylog', () => (certificateSeen = true));
    tls.once('secureConnect', () => {
      settle();
      note(
        run,
        `${tls.getProtocol()} with ${host}${tls.authorized ? '' : `, not verified: ${tls.authorizationError}`}`,
      );
      resolve(tls);
    });
    // Stays on: an error after the handshake belongs to the request, which listens for itself.
    tls.on('error', (error) => {
      settle();
      reject(handshakeFailure(error, host, certificateSeen));
    });
    run.deadline.interrupt = (why) => {
      settle();
      reject(interrupted(why, 'timeout', `${host} did not finish the TLS handshake within ${run.timeout} s`));
    };
    if (run.deadline.over) run.deadline.interrupt(run.deadline.over);
  });
}

function handshakeFailure(error: unknown, host: string, certificateSeen: boolean): CheckFailure {
  if (isTlsError(error)) return tlsFailure(error, certificateSeen);
  if (codeOf(error) === 'ECONNRESET')
    return new CheckFailure('reset', `${host} closed the connection during the TLS handshake`);
  return socketFailure(error, host);
}
