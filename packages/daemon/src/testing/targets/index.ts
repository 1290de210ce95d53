/**
 * Real listeners on free ports of loopback. They behave or misbehave as a test needs. A declaration with `await using`
 * closes them at the end of the block.
 */
export * from './acme.ts';
export * from './certificates.ts';
export * from './dns.ts';
export * from './free-port.ts';
export * from './http.ts';
export * from './smtp.ts';
export * from './target.ts';
export * from './tcp.ts';
export * from './tls.ts';
export * from './check-context.ts';
