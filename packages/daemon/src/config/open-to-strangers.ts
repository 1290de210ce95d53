import { isIP } from 'node:net';
import type { Config } from './config.ts';

/**
 * What an operator should know who lets strangers in by accident: null where this machine alone reaches the server, or
 * where sign-up or targets are restricted.
 */
export function openToStrangers(
  { mode, host, signup, targets }: Pick<Config, 'mode' | 'host' | 'signup' | 'targets'>,
  signUpClosed: boolean,
): string | null {
  if (mode === 'public' || isLoopback(host) || signup !== 'open' || signUpClosed || targets !== 'all') return null;
  return 'Everyone who reaches this server can sign up and have it connect to addresses of its inner network. Set UPTIME_MODE=public, or close sign-up: `uptimed admin close-signup`.';
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
