/** Real listeners on loopback, port 0, that behave and misbehave as tests need. `await using` closes them. */
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
