/** Why nothing can be listened to there, as a sentence that says what to set instead; another error as it is. */
export function cannotListen(
  error: unknown,
  { host, port, setBy }: { host: string; port: number; setBy: string },
): unknown {
  const because = (sentence: string) => new Error(sentence, { cause: error });
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return because(`Port ${port} on ${host} is taken: choose another by ${setBy}.`);
  if (code === 'EACCES')
    return because(`Port ${port} needs more rights than this user has: choose one above 1023 by ${setBy}.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return because(`${host} is no address of this machine: set another by UPTIME_HOST or --host.`);
  return error;
}
