/** Decodes a header as UTF-8 if its bytes are valid UTF-8. Many servers write UTF-8, but Node reads Latin-1. */
export function headerText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}
