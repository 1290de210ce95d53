/**
 * Ends the program if this Node is too old for it. A program calls it before it loads any other file, because an older
 * Node cannot parse the other files. For the same reason, this file uses only old syntax.
 */
export function requireNode(program: string, host: NodeJS.Process): void {
  const { node } = host.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isSupported = major === 22 ? minor >= 22 : major === 24 ? minor >= 15 : major >= 26;
  if (isSupported) return;
  host.stderr.write(`${program} needs Node 22.22, 24.15, or 26 and newer; this is Node ${node}.\n`);
  host.exit(1);
}
