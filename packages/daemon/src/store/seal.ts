import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts and decrypts the secrets in the store, so that readers of the database cannot read them. */
export interface Seal {
  /** Encrypts a text. `context` names the owner of the text, such as a channel's id. `open` needs the same context. */
  close(text: string, context: string): string;
  /** Decrypts a text. Returns null if it was encrypted with another key or context, or was changed afterwards. */
  open(sealed: string, context: string): string | null;
}

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** Returns a seal that uses AES-256-GCM (NIST SP 800-38D) with a key derived from the daemon's secret (RFC 5869). */
export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'uptime sealed settings', 32));
  return {
    close(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [found, data = ''] = sealed.split('.');
      const bytes = Buffer.from(data, 'base64url');
      if (found !== version || bytes.length < nonceBytes + tagBytes) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        // `final` throws only if the tag does not match.
        return null;
      }
    },
  };
}
