import { connect } from 'node:tls';

/** Begins a TLS handshake with this name. Returns the code of its failure, or `secure` if it got a certificate. */
export function tryHandshake(port: number, servername: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      socket.destroy();
      resolve('secure');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
