import { print } from './print.ts';

/** Runs a task of `uptimed admin`. */
export async function admin(args: string[]): Promise<void> {
  const { administer } = await import('../admin/admin.ts');
  await administer(args, { env: process.env, stdin: process.stdin, print });
}
