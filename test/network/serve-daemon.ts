import { createTestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';
import type { DaemonAnswer, DaemonRequest, SentTransition } from './start-daemon.ts';

/**
 * Runs a daemon in this network namespace. The argument of this program has environment variables as JSON. The program
 * sends each change of a monitor's status to the parent process, and answers the parent's requests to the API.
 */
const daemon = await createTestDaemon({
  env: JSON.parse(process.argv[2]!) as Record<string, string>,
  onTransition: ({ monitor, to, error }) =>
    send({ kind: 'transition', monitor, to, error, at: performance.timeOrigin + performance.now() }),
});

process.on('message', ({ id, method, path, body, asOwner }: DaemonRequest) => {
  void (async () => {
    const answer = await daemon.request(method, path, body, asOwner ? { cookie: daemon.cookie } : {});
    send({ kind: 'answer', id, status: answer.status, body: answer.body });
  })();
});
process.send?.('ready');

function send(message: SentTransition | DaemonAnswer): void {
  process.send?.(message);
}
