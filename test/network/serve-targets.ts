import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** How the resolver treats queries. The parent process changes it by a message. */
let resolverMode: 'answers' | 'fails' | 'silent' = 'answers';

// Runs servers in this network namespace, one for each argument: `web:<address>` or `dns:<address>`.
for (const [kind, address] of process.argv.slice(2).map((one) => one.split(':', 2))) {
  if (kind === 'web') await once(createServer((_, response) => response.end('ok')).listen(80, address), 'listening');
  else await serveNames(address!);
}

process.on('message', (mode: typeof resolverMode) => {
  resolverMode = mode;
  process.send?.('done');
});
process.send?.('ready');

/**
 * Runs a name server. It answers an A query for `tN.…` with the address of target N. It has no record for other names.
 * Only the server whose address ends in `.53` follows `resolverMode`.
 */
async function serveNames(address: string) {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address: from }) => {
    const mode = address.endsWith('.53') ? resolverMode : 'answers';
    if (mode === 'silent') return;
    socket.send(answerTo(question, mode), port, from);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
}

function answerTo(question: Buffer, mode: 'answers' | 'fails'): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(mode === 'fails' ? 0x8182 : 0x8180, 2);
  head.fill(0, 6, 12);
  const label = head.subarray(13, 13 + (head[12] ?? 0)).toString();
  const target = /^t(\d)$/.exec(label)?.[1];
  if (mode === 'fails') return head;
  if (target === undefined) {
    if (label.startsWith('uptime-')) head[3] = 0x83;
    return head;
  }
  if (head.readUInt16BE(end - 4) !== 1) return head;
  head.writeUInt16BE(1, 6);
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 10, 77, 2, 10 + Number(target)])]);
}
