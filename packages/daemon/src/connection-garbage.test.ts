import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const source = pathToFileURL(join(import.meta.dirname, 'connection-garbage.ts')).href;

/**
 * A program that opens and closes connections, in groups. After each group it collects the new objects twice. It prints
 * which share of the connections of the last group is still in memory.
 */
const program = (isFreedSoon: boolean) => `
  import { once } from 'node:events';
  import { connect, createServer } from 'node:net';
  const { freeConnectionsSoon } = await import('${source}');
  const server = createServer((socket) => socket.resume().on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  if (${isFreedSoon}) await freeConnectionsSoon(0);
  const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 1));
  const open = async () => {
    const socket = connect(server.address().port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await once(socket, 'close');
    return new WeakRef(socket);
  };
  let kept = 1;
  for (let group = 0; group < 60 && kept > 0.1; group++) {
    const closed = [];
    for (let at = 0; at < 100; at++) closed.push(await open());
    for (let collection = 0; collection < 2; collection++) {
      await nextTurn();
      gc({ type: 'minor' });
    }
    kept = closed.filter((one) => one.deref() !== undefined).length / closed.length;
  }
  console.log(kept);
  process.exit();
`;

async function keptShare(isFreedSoon: boolean): Promise<number> {
  const args = ['--expose-gc', '--input-type=module', '-e', program(isFreedSoon)];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

test('collections of new objects free closed connections', async () => {
  const [freed, kept] = [await keptShare(true), await keptShare(false)];
  expect(freed).toBeLessThanOrEqual(0.1);
  expect(kept).toBeGreaterThan(0.5);
});
