import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** How each system opens an address with the program for it. */
const openers: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an http or https address in the browser that `BROWSER` names, or the system's; false where that can't be done.
 * It does not wait for the browser to end.
 */
export async function openInBrowser(address: string, env: Record<string, string | undefined>): Promise<boolean> {
  const url = URL.parse(address);
  // What a server answers is opened by programs: nothing but a page of the web.
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const [command, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
  return new Promise((answer) => {
    child.once('error', () => answer(false));
    child.once('spawn', () => {
      child.unref();
      answer(true);
    });
  });
}
