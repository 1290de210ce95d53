/**
 * Returns the words of the command whose help a command line asks for, joined by spaces; null for any other line. They
 * may also be the words of a topic, or of no command.
 */
export function askedHelp(argv: readonly string[]): string | null {
  const words =
    argv[0] === 'help' ? argv.slice(1) : /^(?:--help|-h)$/.test(argv.at(-1) ?? '') ? argv.slice(0, -1) : null;
  return words?.every((word) => /^[a-z]/.test(word)) ? words.join(' ') : null;
}
