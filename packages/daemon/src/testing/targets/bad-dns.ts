import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';
import type { Target } from './target.ts';

/** The wrong answers that the name server can give. A name that begins with a key gets the answer of that key. */
const manners = {
  /** Bytes that are not a DNS message. */
  garbage: (question: Buffer) => Buffer.concat([question.subarray(0, 2), Buffer.from('\x81\x80no dns message at all')]),
  /** A truncated answer, so that the client asks again by TCP, where the connection is reset. */
  truncated: (question: Buffer) => changed(question, [0x83, 0x80]),
  /** An answer with a wrong id. The client ignores it, and gets no other answer. */
  wrongid: (question: Buffer) =>
    Buffer.concat([Buffer.from([question[0]! ^ 0xff, question[1]!]), changed(question, [0x81, 0x80]).subarray(2)]),
  /** A format error. */
  formerr: (question: Buffer) => changed(question, [0x81, 0x81]),
} as const;

export type BadManner = keyof typeof manners;
export const badManners = Object.keys(manners) as BadManner[];

export interface BadDnsTarget extends Target {
  /** `127.0.0.1:port` */
  server: string;
}

/**
 * Starts a name server. Names that begin with `good` have the address 127.0.0.1. Names that begin with a key of
 * `manners` get that wrong answer. Other names do not exist.
 */
export async function badDnsTarget(): Promise<BadDnsTarget> {
  const udp = createSocket('udp4');
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.resetAndDestroy());
  });
  const port = await freePort();
  await once(tcp.listen(port, '127.0.0.1'), 'listening');
  udp.on('message', (question, from) => {
    const label = question
      .subarray(13, 13 + (question[12] ?? 0))
      .toString()
      .toLowerCase();
    const manner = badManners.find((one) => label.startsWith(one));
    udp.send(manner ? manners[manner](question) : goodAnswer(question, label), from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([
      new Promise<void>((closed) => udp.close(() => closed())),
      new Promise((closed) => tcp.close(closed)),
    ]);
  };
  return { port, server: `127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

const changed = (question: Buffer, flags: readonly [number, number]): Buffer => {
  const answer = Buffer.from(question);
  answer.set(flags, 2);
  return answer;
};

function goodAnswer(question: Buffer, label: string): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const head = changed(question.subarray(0, end), [0x81, label.startsWith('good') ? 0x80 : 0x83]);
  head.fill(0, 6, 12);
  if (!label.startsWith('good') || head.readUInt16BE(end - 4) !== 1) return head;
  head.writeUInt16BE(1, 6);
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])]);
}
