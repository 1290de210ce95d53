import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { readUnfinished } from './certificate.ts';
import type { SeenCertificate } from './check.ts';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import { note, type Run, spent } from './run.ts';
import { socketFailure } from './system-errors.ts';
import { isTlsError, tlsFailure } from './tls-failure.ts';

/** Returns a function that creates the secure context at its first call. All later calls return this context. */
export function sharedSecureContext(): () => SecureContext {
  let context: SecureContext | null = null;
  return () => (context ??= createSecureContext());
}

/** The protocol `http/1.1` as ALPN encodes it: the length of the name, then the name. */
const alpn = Buffer.from('\x08http/1.1', 'latin1');

/**
 * Performs the TLS handshake over a connected socket. The handshake completes with any certificate, so that the caller
 * can read the certificate and decide. If the handshake fails, the function first calls `keep` with the certificate, if
 * the server has sent one. Then it throws a CheckFailure.
 */
export function secure(
  run: Run,
  socket: Socket,
  host: string,
  keep: (certificate: SeenCertificate | null) => void,
): Promise<TLSSocket> {
  const fromMonoMs = run.context.clock.monotonicMs();
  const name = host.replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const tls = connect({
      socket,
      // The name that the certificate must match. SNI, the `servername`, cannot carry an IP address.
      host: name,
      servername: isIP(host) ? '' : name,
      secureContext: run.context.secureContext(),
      rejectUnauthorized: false,
      ALPNProtocols: alpn,
    });
    let certificateSeen = false;
    let underWay = true;
    const settle = () => {
      underWay = false;
      run.deadline.offInterrupt();
      spent(run, 'tls', fromMonoMs);
    };
    // `failed` is asynchronous. So if `readUnfinished` throws for a bad certificate, only the promise of `failed` is
    // rejected.
    const failed = async (error: unknown) => {
      if (certificateSeen) keep(readUnfinished(tls, name));
      throw handshakeFailure(error, host, certificateSeen);
    };
    // Node emits `keylog` when the first key exists. In TLS 1.2, the server's certificate has arrived by then. Only TLS
    // 1.2 needs `certificateSeen`.
    tls.once('keylog', () => (certificateSeen = true));
    tls.once('secureConnect', () => {
      settle();
      note(
        run,
        `${tls.getProtocol()} with ${host}${tls.authorized ? '' : `, not verified: ${tls.authorizationError}`}`,
      );
      resolve(tls);
    });
    // Ignores errors after the handshake: the request has its own listener for them.
    tls.on('error', (error) => {
      if (!underWay) return;
      settle();
      resolve(failed(error));
    });
    run.deadline.onInterrupt((why) => {
      settle();
      reject(interrupted(why, 'timeout', `${host} did not finish the TLS handshake within ${run.timeoutSeconds} s`));
    });
  });
}

function handshakeFailure(error: unknown, host: string, certificateSeen: boolean): CheckFailure {
  if (isTlsError(error)) return tlsFailure(error, certificateSeen);
  if (codeOf(error) === 'ECONNRESET')
    return new CheckFailure('reset', `${host} closed the connection during the TLS handshake`);
  return socketFailure(error, host);
}
