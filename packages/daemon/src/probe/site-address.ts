import { isIP } from 'node:net';
import { ConfigError } from '../config/config.ts';

const privateAddress = /^(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?(?:::1|f[cd][0-9a-f]{2}:))/i;
const privateName = /^(?:localhost|[^.]+|.+\.(?:localhost|local|internal|lan|home\.arpa))$/i;

/**
 * Checks the address of the server that a probe joins, and removes trailing slashes. A public address must be https,
 * because the connection carries the probe's token and the secrets of monitors. Throws ConfigError.
 */
export function siteAddress(text: string): { url: string; isPlain: boolean } {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new ConfigError('--join must be the address of the server, such as https://uptime.example.com.');
  const { hostname } = url;
  const isPrivate = isIP(hostname.replace(/^\[|\]$/g, '')) ? privateAddress.test(hostname) : privateName.test(hostname);
  const isPlain = url.protocol === 'http:';
  if (isPlain && !isPrivate)
    throw new ConfigError(
      `--join must be an https:// address, because the connection carries the probe's token and the secrets of monitors. http:// is only for loopback and private addresses, and ${hostname} is neither.`,
    );
  return { url: url.href.replace(/\/+$/, ''), isPlain };
}
