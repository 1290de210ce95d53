import { createTestDaemon } from '../../packages/daemon/src/testing/test-daemon.ts';

/**
 * Runs a daemon in this network namespace. The argument of this program has monitors and environment variables as JSON.
 * The program sends each change of a monitor's status to the parent process.
 */
const { monitors, env } = JSON.parse(process.argv[2]!) as { monitors: object[]; env: Record<string, string> };
const names = new Map<number, string>();
const daemon = await createTestDaemon({
  env,
  onTransition: ({ monitor, to, error }) =>
    void process.send?.({
      kind: 'transition',
      name: names.get(monitor),
      to,
      error,
      at: performance.timeOrigin + performance.now(),
    }),
});
for (const [index, monitor] of monitors.entries()) {
  // Monitors are numbered in order of creation.
  names.set(index + 1, (monitor as { name: string }).name);
  const { status, body } = await daemon.request('POST', '/api/monitors', monitor);
  if (status !== 201) throw new Error(`No monitor was made: ${status} ${JSON.stringify(body)}`);
}

process.on('message', () => {
  void (async () => {
    const { warnings } = (await daemon.request('GET', '/healthz')).body as { warnings: string[] };
    process.send?.({ kind: 'warnings', warnings });
  })();
});
process.send?.('ready');
