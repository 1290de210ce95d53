/** Returns the name of the temporary file that a pull writes before it replaces a file of the manifest. */
export const unfinishedName = (name: string, writer: { pid: number; id: string }): string =>
  `.${name}.${writer.pid}-${writer.id}.tmp`;

/** Returns the id of the process that writes a temporary file of this name; null if the name has another form. */
export function writerOf(name: string): number | null {
  const [, pid] = /^\..+\.(\d+)-[0-9a-f-]{36}\.tmp$/.exec(name) ?? [];
  return pid === undefined ? null : Number(pid);
}
