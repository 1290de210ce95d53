/**
 * Returns the words of the command for which a command line asks for help, joined by spaces. The words may also be
 * those of a topic, or of no command at all. Returns null if the line does not ask for help.
 */
export function askedHelp(argv: readonly string[]): string | null {
  const words =
    argv[0] === 'help' ? argv.slice(1) : /^(?:--help|-h)$/.test(argv.at(-1) ?? '') ? argv.slice(0, -1) : null;
  return words?.every((word) => /^[a-z]/.test(word)) ? words.join(' ') : null;
}
