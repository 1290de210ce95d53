import { once } from 'node:events';
import { type BlockList, connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as encrypt } from 'node:tls';

/** Which addresses a request may connect to, and when its connection is closed. */
export interface Guard {
  blockList: BlockList;
  lookup: LookupFunction;
  /** When the signal aborts, the connection is closed, even while it is being opened. */
  signal?: AbortSignal;
}

/**
 * Opens a connection to the server of a URL, with TLS for https. Throws `ERR_IP_BLOCKED` for a blocked address.
 * `tls.connect` ignores the block list. So this function opens a plain connection first, and then starts TLS on it.
 */
export async function openGuardedSocket(guard: Guard, { protocol, hostname, port }: SocketAddress): Promise<Socket> {
  const secure = protocol === 'https:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const plain = connect({ ...guard, host, port: Number(port || (secure ? 443 : 80)) });
  handleErrors(plain);
  try {
    await once(plain, 'connect', guard);
    if (!secure) return plain;
    const encrypted = encrypt({
      socket: plain,
      host,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
    });
    handleErrors(encrypted);
    await once(encrypted, 'secureConnect', guard);
    return encrypted;
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

/**
 * The caller handles errors only while it waits for the connection. Without this listener, a later error would end the
 * process.
 */
const handleErrors = (socket: Socket) => void socket.on('error', () => {});

type SocketAddress = Pick<URL, 'protocol' | 'hostname' | 'port'>;
