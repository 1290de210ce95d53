import { beforeAll } from 'vitest';
import { type Issued, makeCertificate, makeChain, monitorOf, testContext } from './targets/index.ts';
import { checkHttp } from '../checks/http.ts';

/** Makes a chain of certificates. `check` runs an HTTP check that trusts the root of the chain. */
export function createTlsWorld() {
  const day = 86_400_000;
  let chain: { root: Issued; intermediate: Issued; leaf: Issued };
  beforeAll(async () => {
    chain = await makeChain();
  });

  const full = (leaf: Issued) => ({ cert: leaf.cert + chain.intermediate.cert, key: leaf.key });
  const check = (url: string, fields: object = {}, ca = chain.root.cert) =>
    checkHttp(monitorOf({ type: 'http', url, timeout: 5, ...fields }), testContext({ ca }));
  const issue = (options: Parameters<typeof makeCertificate>[0]) =>
    makeCertificate({ ...options, issuer: chain.intermediate });

  return {
    get chain() {
      return chain;
    },
    day,
    full,
    check,
    issue,
  };
}
