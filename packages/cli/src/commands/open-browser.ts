import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Context } from '../context.ts';

/** The program that opens an address, by platform; elsewhere `xdg-open`. No shell runs it, so no quotes are needed. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a web address in `BROWSER`, or else the system's browser. Returns null, or the reason why it failed. */
export async function openBrowser(address: string, { env, cwd }: Pick<Context, 'env' | 'cwd'>): Promise<string | null> {
  // The address comes from the server, so only web addresses are opened.
  if (!/^https?:\/\//.test(address)) return 'it is not a web address';
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const browser = spawn(program, [...args, address], { env, cwd, stdio: 'ignore', detached: true });
  browser.unref();
  return new Promise((resolve) => {
    browser.once('spawn', () => resolve(null));
    browser.once('error', (error: NodeJS.ErrnoException) => resolve(`${program}: ${error.code ?? error.message}`));
  });
}
