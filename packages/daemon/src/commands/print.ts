/** Prints a text and a line break. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
