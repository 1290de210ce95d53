import { isIP } from 'node:net';
import type { Config } from './config.ts';

/**
 * A warning for operators who let strangers in by accident. Null if only this machine reaches the server, or if sign-up
 * or targets are restricted.
 */
export function openToStrangers(
  { mode, host, signup, targets }: Pick<Config, 'mode' | 'host' | 'signup' | 'targets'>,
  signUpClosed: boolean,
): string | null {
  if (mode === 'public' || isLoopback(host) || signup !== 'open' || signUpClosed || targets !== 'all') return null;
  return 'Everyone who reaches this server can sign up, and can let it connect to addresses of its inner network. Set UPTIME_MODE=public, or close sign-up with `uptimed admin close-signup`.';
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
