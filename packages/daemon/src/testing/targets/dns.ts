import { createServer, Packet } from 'dns2';
import { freePort } from './free-port.ts';
import type { Target } from './target.ts';

/** The answers of a test name server to questions about one name. */
export interface Zone {
  A?: string[];
  AAAA?: string[];
  CNAME?: string;
  /** Each record is a preference and the name of a mail server. */
  MX?: [number, string][];
  /** Each record is a list of strings. */
  TXT?: string[][];
  /** The name server answers every question about the name with this code. */
  rcode?: 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED';
  /** The name server never answers questions about the name. */
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
 * Starts a name server on loopback, with UDP and TCP on one port, by default a free one. It answers questions about the
 * names of `zones`; other names do not exist. If a name has a CNAME, every answer about the name contains the CNAME,
 * even if it contains no other record.
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
    // Imitates broken servers, which answer a question for a CNAME with the address.
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
