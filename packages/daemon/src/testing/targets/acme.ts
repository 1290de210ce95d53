// @peculiar/x509 needs reflect-metadata, and throws without it.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata';
import { createHash, createPublicKey, randomBytes, verify, type webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as x509 from '@peculiar/x509';
import { makeCertificate } from './certificates.ts';
import type { Target } from './target.ts';
import { listening } from './tcp.ts';

export interface AcmeTarget extends Target {
  /** The address of the ACME directory. */
  directoryUrl: string;
  /** The authority's certificate, as PEM. */
  ca: string;
  /** The authority fetches the proofs of all names from this port of this machine. Set it before an order. */
  challengePort: number;
  /** The name in each certificate order, the oldest order first. */
  orders: string[];
  /** The mail addresses in the requests that create or change accounts, in order. */
  contacts: unknown[];
  /**
   * How the authority treats orders:
   *
   * - `kind`: orders succeed.
   * - `refuse`: no proof is accepted.
   * - `hang`: the authority never answers an order.
   * - `limit`: the authority refuses orders, because there were too many.
   * - `slow`: an order stays pending.
   * - `busy`: an order is finalized, but its certificate is not issued yet.
   */
  behaviour: 'kind' | 'refuse' | 'hang' | 'limit' | 'slow' | 'busy';
  /** The `Retry-After` of answers while the behaviour is `limit`, `slow` or `busy`. */
  retryAfter: string;
  /** When orders were polled again (RFC 8555, 7.5.1), in milliseconds of `performance.now()`. */
  polls: number[];
  /** How long a certificate is valid. */
  lifeMs: number;
}

interface Authorization {
  name: string;
  token: string;
  jwk: webcrypto.JsonWebKey;
  status: 'pending' | 'valid' | 'invalid';
  error?: object;
  certificate?: string;
}

interface Signed {
  account: { jwk: webcrypto.JsonWebKey; id: number };
  payload: Record<string, unknown>;
}

/**
 * Starts a certificate authority on loopback with the necessary parts of ACME (RFC 8555). It checks signatures and
 * nonces, fetches proofs by HTTP, and issues the requested certificates. An order has one name, and the same number as
 * its authorization and challenge.
 */
export async function acmeTarget(now: () => number = Date.now): Promise<AcmeTarget> {
  const root = await makeCertificate({ ca: true, name: 'Test Authority' });
  const nonces = new Set<string>();
  const accounts: webcrypto.JsonWebKey[] = [];
  /** The keys for which an account was created, as indexes of `accounts`. */
  const registered = new Set<number>();
  const authorizations: Authorization[] = [];
  let base = '';

  const answer = (response: ServerResponse, status: number, body: object | string, location?: string) => {
    const nonce = randomBytes(12).toString('base64url');
    nonces.add(nonce);
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'replay-nonce': nonce,
      'content-type': isText ? 'application/pem-certificate-chain' : 'application/json',
      ...(location !== undefined && { location }),
      ...((['limit', 'slow'].includes(target.behaviour) || isProcessing(body)) && { 'retry-after': target.retryAfter }),
    });
    response.end(isText ? body : JSON.stringify(body));
  };
  const problem = (kind: string, detail: string) => ({ type: `urn:ietf:params:acme:error:${kind}`, detail });

  const order = (id: number) => {
    const { name, status, error, certificate } = authorizations[id]!;
    const issued = target.behaviour === 'busy' ? 'processing' : 'valid';
    return {
      status: certificate ? issued : { pending: 'pending', valid: 'ready', invalid: 'invalid' }[status],
      identifiers: [{ type: 'dns', value: name }],
      authorizations: [`${base}/authorization/${id}`],
      finalize: `${base}/finalize/${id}`,
      ...(error && { error }),
      ...(certificate && { certificate: `${base}/certificate/${id}` }),
    };
  };
  const challenge = (id: number) => {
    const { token, status, error } = authorizations[id]!;
    return { type: 'http-01', url: `${base}/challenge/${id}`, token, status, ...(error && { error }) };
  };

  const validate = async (one: Authorization): Promise<void> => {
    const { crv, kty, x, y } = one.jwk;
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
    const seen = await fetchProof(target.challengePort, one);
    one.status = seen === `${one.token}.${thumbprint}` && target.behaviour !== 'refuse' ? 'valid' : 'invalid';
    if (one.status === 'invalid') one.error = problem('unauthorized', `The proof at ${one.name} is wrong: ${seen}`);
  };

  const sign = async (one: Authorization, csr: string): Promise<string> => {
    const asked = new x509.Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'));
    if (!(await asked.verify())) throw new Error('The request is not signed by its key.');
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: randomBytes(8).toString('hex'),
      subject: `CN=${one.name}`,
      issuer: root.certificate.subject,
      notBefore: new Date(now() - 1000),
      notAfter: new Date(now() - 1000 + target.lifeMs),
      publicKey: asked.publicKey,
      signingKey: root.keys.privateKey,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: asked.extensions,
    });
    return `${certificate.toString('pem')}\n${root.cert}`;
  };

  const routes: Record<string, (id: number, signed: Signed, response: ServerResponse) => unknown> = {
    account: (_, { account, payload }, response) => {
      // Like real authorities, this one refuses updates that change nothing, and updates of the terms of service.
      if (Object.keys(payload).length > 0 && !('contact' in payload))
        return answer(response, 400, problem('malformed', 'This update changes nothing.'));
      if (payload.contact) target.contacts.push(payload.contact);
      answer(response, 200, { status: 'valid' }, `${base}/account/${account.id}`);
    },
    'new-account': (_, { account, payload }, response) => {
      const exists = registered.has(account.id);
      if (!exists && payload.onlyReturnExisting)
        return answer(response, 400, problem('accountDoesNotExist', 'There is no account for this key.'));
      if (!exists && payload.contact) target.contacts.push(payload.contact);
      registered.add(account.id);
      answer(response, exists ? 200 : 201, { status: 'valid' }, `${base}/account/${account.id}`);
    },
    'new-order': (_, { account, payload }, response) => {
      const [{ value: name }] = payload.identifiers as [{ value: string }];
      target.orders.push(name);
      if (target.behaviour === 'hang') return;
      if (target.behaviour === 'limit')
        return answer(response, 429, problem('rateLimited', 'There were too many orders.'));
      const id = authorizations.push({
        name,
        token: randomBytes(16).toString('base64url'),
        jwk: account.jwk,
        status: 'pending',
      });
      answer(response, 201, order(id - 1), `${base}/order/${id - 1}`);
    },
    order: (id, _, response) => {
      target.polls.push(performance.now());
      answer(response, 200, target.behaviour === 'slow' ? { ...order(id), status: 'pending' } : order(id));
    },
    authorization: (id, _, response) => {
      const { name, status } = authorizations[id]!;
      answer(response, 200, { status, identifier: { type: 'dns', value: name }, challenges: [challenge(id)] });
    },
    challenge: async (id, _, response) => {
      await validate(authorizations[id]!);
      answer(response, 200, challenge(id));
    },
    finalize: async (id, { payload }, response) => {
      const one = authorizations[id]!;
      if (one.status !== 'valid') return answer(response, 403, problem('orderNotReady', 'This order is not ready.'));
      one.certificate = await sign(one, payload.csr as string);
      answer(response, 200, order(id));
    },
    certificate: (id, _, response) => answer(response, 200, authorizations[id]!.certificate!),
  };

  const read = (jws: Record<'protected' | 'payload' | 'signature', string>, url: string): Signed | string => {
    const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as never;
    const header: { url: string; nonce: string; jwk?: webcrypto.JsonWebKey; kid?: string } = decoded(jws.protected);
    if (!nonces.delete(header.nonce)) return 'badNonce';
    if (header.url !== url) return 'unauthorized';
    let id = Number(header.kid?.split('/').at(-1) ?? -1);
    if (header.jwk) {
      id = accounts.findIndex(({ x }) => x === header.jwk!.x);
      if (id < 0) id = accounts.push(header.jwk) - 1;
    }
    const jwk = accounts[id];
    if (!jwk) return 'accountDoesNotExist';
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const signature = Buffer.from(jws.signature, 'base64url');
    const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
    if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)) return 'malformed';
    return { account: { jwk, id }, payload: decoded(jws.payload) };
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, word = '', id] = request.url!.split('/');
    if (word === 'directory') {
      return answer(response, 200, {
        newNonce: `${base}/new-nonce`,
        newAccount: `${base}/new-account`,
        newOrder: `${base}/new-order`,
      });
    }
    if (word === 'new-nonce') return answer(response, 200, '');
    const signed = read(JSON.parse(await text(request)), base + request.url);
    if (typeof signed === 'string') return answer(response, 400, problem(signed, `Refused: ${signed}.`));
    await routes[word]!(Number(id), signed, response);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) =>
      answer(response, 500, problem('serverInternal', String(error))),
    );
  });
  const listener = await listening(server);
  base = `http://127.0.0.1:${listener.port}`;
  const target: AcmeTarget = {
    ...listener,
    directoryUrl: `${base}/directory`,
    ca: root.cert,
    challengePort: 0,
    orders: [],
    contacts: [],
    behaviour: 'kind',
    retryAfter: '3600',
    polls: [],
    lifeMs: 90 * 86_400_000,
  };
  return target;
}

const isProcessing = (body: object | string) =>
  typeof body === 'object' && 'status' in body && body.status === 'processing';

/** Resolves with the body at the address of the proof, or with the error if it cannot be fetched. */
function fetchProof(port: number, { name, token }: Authorization): Promise<string> {
  return new Promise((resolve) => {
    const path = `/.well-known/acme-challenge/${token}`;
    ask({ host: '127.0.0.1', port, path, headers: { host: name }, agent: false }, (response) => {
      text(response).then(resolve, (error: unknown) => resolve(String(error)));
    })
      .on('error', (error) => resolve(String(error)))
      .end();
  });
}
