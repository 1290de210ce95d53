import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { createServer, Packet } from 'dns2';
import type { Target } from './target.ts';

/** What a test name server knows of a name. */
export interface Zone {
  A?: string[];
  AAAA?: string[];
  CNAME?: string;
  /** Preference and exchange. */
  MX?: [number, string][];
  /** Each record as its chunks. */
  TXT?: string[][];
  /** Answers with this code instead. */
  rcode?: 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED';
  /** Never answers. */
  silent?: true;
}

export interface DnsTarget extends Target {
  /** `127.0.0.1:port` */
  server: string;
  /** The names asked for, in order, as `TYPE name`. */
  questions: string[];
}

type Handler = Parameters<typeof createServer>[0] extends { handle?: infer H } | undefined ? NonNullable<H> : never;

/**
 * A name server on loopback, UDP and TCP on one port, by default a free one. It answers for the names of `zones` (names not listed do not
 * exist), gives a CNAME beside whatever type is asked for, and answers with nothing else where that is all there is.
 */
export async function dnsTarget(zones: Record<string, Zone>, at = 0): Promise<DnsTarget> {
  const questions: string[] = [];
  const handle: Handler = (request, send) => {
    const response = Packet.createResponseFromRequest(request);
    const question = request.questions[0];
    if (!question) return;
    const name = question.name.toLowerCase();
    const type = (Object.entries(Packet.TYPE).find(([, code]) => code === question.type) ?? ['?'])[0];
    questions.push(`${type} ${name}`);
    const zone: Zone = zones[name] ?? (name === '' ? {} : { rcode: 'NXDOMAIN' });
    if (zone.silent) return;
    if (zone.rcode) response.header.rcode = Packet.RCODE[zone.rcode];
    const base = { name: question.name, class: Packet.CLASS.IN, ttl: 60 };
    const add = (kind: keyof typeof Packet.TYPE, data: object) =>
      response.answers.push({ ...base, type: Packet.TYPE[kind], ...data } as (typeof response.answers)[number]);
    if (zone.CNAME) add('CNAME', { domain: zone.CNAME });
    if (type === 'A') for (const address of zone.A ?? []) add('A', { address });
    // What some broken servers do: the address in answer to whatever was asked.
    if (type === 'CNAME' && !zone.CNAME) for (const address of zone.A ?? []) add('A', { address });
    if (type === 'AAAA') for (const address of zone.AAAA ?? []) add('AAAA', { address });
    if (type === 'MX') for (const [priority, exchange] of zone.MX ?? []) add('MX', { priority, exchange });
    if (type === 'TXT') for (const chunks of zone.TXT ?? []) add('TXT', { data: chunks });
    void send(response);
  };
  const port = at || (await freePort());
  const udp = createServer({ udp: true, handle });
  await udp.listen({ udp: { port, address: '127.0.0.1' } });
  const tcp = createServer({ tcp: true, handle });
  await tcp.listen({ tcp: { port, address: '127.0.0.1' } });
  const close = async () => {
    await Promise.all([udp.close(), tcp.close()]);
  };
  return { port, server: `127.0.0.1:${port}`, questions, close, [Symbol.asyncDispose]: close };
}

/** A port that nobody has by UDP nor by TCP: one that is free by the one may be taken by the other. */
async function freePort(): Promise<number> {
  for (;;) {
    const udp = createSocket('udp4').bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createTcpServer().listen(port, '127.0.0.1');
    const free = await once(tcp, 'listening').then(
      () => true,
      () => false,
    );
    udp.close();
    tcp.close();
    if (free) return port;
  }
}
