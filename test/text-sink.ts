import { Writable } from 'node:stream';

/** A stream that keeps what is written to it. */
export function textSink(): Writable & { text(): string } {
  let kept = '';
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      kept += chunk.toString();
      done();
    },
  });
  return Object.assign(stream, { text: () => kept });
}
