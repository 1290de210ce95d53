/**
 * Returns an error that says why the server cannot listen, and which setting to change. Returns an unknown error
 * unchanged.
 */
export function cannotListen(
  error: unknown,
  { host, port, setBy }: { host: string; port: number; setBy: string },
): unknown {
  const because = (sentence: string) => new Error(sentence, { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return because(`Port ${port} on ${host} is in use: choose another one with ${setBy}.`);
  if (code === 'EACCES')
    return because(`Port ${port} needs more rights than this user has: choose one above 1023 with ${setBy}.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return because(`${host} is not an address of this machine: set another one with UPTIME_HOST or --host.`);
  return error;
}
