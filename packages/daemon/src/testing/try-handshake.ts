import { connect } from 'node:tls';

/**
 * Begins a TLS handshake with this server name. Resolves with the code of the error, or with `secure` if the handshake
 * succeeds.
 */
export function tryHandshake(port: number, servername: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve('secure');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
