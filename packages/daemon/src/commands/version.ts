import { print } from './print.ts';

/** Prints the version. */
export async function version(): Promise<void> {
  const daemon = await import('../daemon.ts');
  print(daemon.version);
}
