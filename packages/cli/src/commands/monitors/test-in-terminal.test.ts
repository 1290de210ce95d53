import { expect, test } from 'vitest';
import { openSession } from '../../testing/session.ts';
import { runInTerminal } from '../../testing/terminal.ts';
import { freePort } from '../../../../daemon/src/testing/targets/index.ts';

test('on 80 columns each check is one line, and the full reasons follow below the table', async () => {
  await using session = await openSession();
  const port = await freePort();
  const name = 'A port that nobody has listened on yet but that everybody looks for';
  await session.write('monitors.yaml', `monitors: [{ name: "${name}", type: tcp, host: 127.0.0.1, port: ${port} }]\n`);
  const { exit, screen } = await runInTerminal(['test'], session, { columns: 80 }).ended;
  const [titles, row, blank, ...reason] = screen.split('\n');
  expect(exit).toBe(1);
  expect(titles).toMatch(/^RESULT +NAME +TYPE +(?:TIME +)?WHY$/);
  expect(row).toMatch(/^down +A port .*… +tcp +connect_refused$/);
  expect(blank).toBe('');
  expect(reason.join('')).toMatch(new RegExp(`^${name}: .*refused.*0 of 1 passed\\.`));
});
