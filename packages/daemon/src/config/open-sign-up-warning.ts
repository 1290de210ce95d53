import { isIP } from 'node:net';
import type { Config } from './config.ts';

/**
 * Returns a warning if strangers can sign up, because the operator may not know this. Null if sign-up is restricted. In
 * private mode, also null if only this machine reaches the server, or if targets are restricted.
 */
export function openSignUpWarning(
  { mode, host, signup, targets }: Pick<Config, 'mode' | 'host' | 'signup' | 'targets'>,
  signUpClosed: boolean,
): string | null {
  if (signup !== 'open' || signUpClosed) return null;
  if (mode === 'public')
    return 'Everyone who reaches this public server can sign up. Leave UPTIME_SIGNUP out for sign-up by invitation, or close sign-up with `uptimed admin close-signup`.';
  if (isLoopback(host) || targets !== 'all') return null;
  return 'Everyone who reaches this server can sign up, and can let it connect to addresses of its inner network. Set UPTIME_MODE=public, or close sign-up with `uptimed admin close-signup`.';
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
