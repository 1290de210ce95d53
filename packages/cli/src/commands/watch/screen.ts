import type { Server } from '../../connection.ts';
import type { Io } from '../../io.ts';
import { byStatus } from '../../nouns/monitors/count-statuses.ts';
import { type Frame, renderFrame, rowsOf } from './frame.ts';
import type { WatchView } from './look-repeatedly.ts';
import { createTrends } from './trends.ts';

/** The control sequences that switch to the alternate screen and hide the cursor, and that undo both. */
const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const restOfLine = '\u001b[K';
const restOfScreen = '\u001b[J';

/** Shows frames on the alternate screen of a terminal, until `close` restores the normal screen. */
export function openScreen({ stdout, out }: Pick<Io, 'stdout' | 'out'>, server: Server, now: () => number): WatchView {
  const trends = createTrends();
  let frame: Omit<Frame, 'now'> = { monitors: [], trends: trends.times, failed: null };
  // The last column stays free, because terminals differ in where they put the cursor after a full line.
  const size = () => ({ columns: (stdout.columns || 80) - 1, lines: stdout.rows || 24 });
  const draw = () => {
    const lines = renderFrame({ ...frame, now: now() }, size(), out);
    stdout.write(home + lines.map((line) => line + restOfLine).join('\r\n') + restOfScreen);
  };
  stdout.write(enter);
  stdout.on('resize', draw);
  return {
    async show(monitors) {
      frame = { ...frame, monitors, failed: null };
      draw();
      await trends.read(byStatus(monitors).slice(0, rowsOf(size().lines)), server, now());
      draw();
    },
    failed(why) {
      frame = { ...frame, failed: why };
      draw();
    },
    close() {
      stdout.off('resize', draw);
      stdout.write(leave);
    },
  };
}
