// @peculiar/x509 needs reflect-metadata, and throws without it.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export interface Issued {
  /** PEM. */
  cert: string;
  /** PEM, PKCS 8. */
  key: string;
  certificate: x509.X509Certificate;
  keys: CryptoKeyPair;
}

export interface CertificateOptions {
  /** DNS names or IP addresses of the subject. Default: localhost and 127.0.0.1. */
  hosts?: string[];
  notBefore?: Date;
  notAfter?: Date;
  /** The issuer that signs the certificate. Default: the certificate is self-signed. */
  issuer?: Issued;
  ca?: boolean;
  /** Extended key usage. Default: server authentication. */
  usage?: 'server' | 'client';
  /** The size of an RSA key, in bits. Default: an elliptic-curve key. */
  rsaBits?: number;
  name?: string;
}

const day = 86_400_000;

/** Makes a certificate with its key. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<Issued> {
  const { hosts = ['localhost', '127.0.0.1'], issuer, ca = false, usage = 'server', rsaBits } = options;
  const algorithm = rsaBits
    ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: rsaBits, publicExponent: new Uint8Array([1, 0, 1]) }
    : { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const subject = `CN=${options.name ?? (ca ? 'Test CA' : hosts[0])}`;
  const names = hosts.map((host) => ({ type: /^[\d.]+$|:/.test(host) ? 'ip' : 'dns', value: host }) as const);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex'),
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: options.notBefore ?? new Date(Date.now() - day),
    notAfter: options.notAfter ?? new Date(Date.now() + 90 * day),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: issuer ? { name: 'ECDSA', hash: 'SHA-256' } : algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(ca, undefined, true),
      ...(ca
        ? [new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true)]
        : [
            new x509.SubjectAlternativeNameExtension(names),
            new x509.ExtendedKeyUsageExtension([
              x509.ExtendedKeyUsage[usage === 'server' ? 'serverAuth' : 'clientAuth'],
            ]),
          ]),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
  return { cert: `${certificate.toString('pem')}\n`, key, certificate, keys };
}

/**
 * Makes a chain: a root certificate, an intermediate that the root signs, and a leaf for localhost that the
 * intermediate signs.
 */
export async function makeChain(leaf: CertificateOptions = {}) {
  const root = await makeCertificate({ ca: true, name: 'Test Root' });
  const intermediate = await makeCertificate({ ca: true, name: 'Test Intermediate', issuer: root });
  return { root, intermediate, leaf: await makeCertificate({ ...leaf, issuer: intermediate }) };
}
