import type { Endpoint } from './endpoint.ts';

/** The scopes of a project's keys. Each scope includes the scopes before it. */
export const keyScopes = ['ping', 'read', 'apply', 'full'] as const;

export type KeyScope = (typeof keyScopes)[number];

/** The rights of each scope, in words. */
export const keyScopeDocs: Record<KeyScope, string> = {
  ping: 'find the heartbeats of the project by key or name, with their ping addresses',
  read: 'every read of the project, with the secrets in monitors and the ping addresses of heartbeats',
  apply: 'reads, and changes of monitors, channels, alert rules, status pages, incidents and maintenance windows',
  full: 'everything in the project: also its keys, its name and its deletion',
};

/** Whether a key with the scope `has` may make a call that needs the scope `needed`. */
export const includesScope = (has: KeyScope, needed: KeyScope): boolean =>
  keyScopes.indexOf(has) >= keyScopes.indexOf(needed);

/**
 * Returns the smallest scope with which a key may call an endpoint. Returns null if the endpoint accepts no key, or can
 * be called without a key.
 */
export function scopeOf({ access, scope }: Pick<Endpoint, 'access' | 'scope'>): KeyScope | null {
  return access === 'project' || access === 'owner' ? (scope ?? 'read') : null;
}
