/**
 * Returns the words of a command line that asks for help, joined by spaces: the words after `help`, or the words before
 * `--help` or `-h`. They may name a command or a topic, or nothing at all. Returns null if the line does not ask for
 * help. Also returns null if one of the words, such as a flag, does not begin with a small letter.
 */
export function askedHelp(argv: readonly string[]): string | null {
  const words =
    argv[0] === 'help' ? argv.slice(1) : /^(?:--help|-h)$/.test(argv.at(-1) ?? '') ? argv.slice(0, -1) : null;
  return words?.every((word) => /^[a-z]/.test(word)) ? words.join(' ') : null;
}
