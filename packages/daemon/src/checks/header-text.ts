/** Node reads headers as Latin-1, while many servers write UTF-8. Bytes that are valid UTF-8 are read as UTF-8. */
export function headerText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}
