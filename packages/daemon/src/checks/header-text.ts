/** Node reads headers as Latin-1, while servers that write other letters write UTF-8: bytes that are UTF-8 read as such. */
export function headerText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\ufffd') ? text : read;
}
